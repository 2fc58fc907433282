// Commands for the people who answer requests.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addApprovalCommands(program: Commander, bind: Bind): void {
  const approvals = program.command('approvals').description('answer calls that wait for a person');
  approvals
    .command('list')
    .description('the requests that wait for an answer')
    .option('--state <state>', 'pending, approved, rejected, used, expired, withdrawn or all', 'pending')
    .option('--task <task>', 'of this task only')
    .action(bind(async () => (await import('../commands/approvals-list.ts')).approvalsList));
  approvals
    .command('show')
    .argument('<request>')
    .description('what exactly is asked, and why')
    .action(bind(async () => (await import('../commands/approvals-show.ts')).approvalsShow));
  approvals
    .command('withdraw')
    .argument('<request>')
    .description('take back what you asked for')
    .option('--as <name>', 'who withdraws it: who asked')
    .option('--reason <text>', 'why')
    .action(bind(async () => (await import('../commands/approvals-withdraw.ts')).approvalsWithdraw));
  for (const verb of ['approve', 'reject'] as const) {
    approvals
      .command(verb)
      .argument('<request>')
      .description(verb === 'approve' ? 'let exactly this call through, once' : 'refuse exactly this call')
      .option('--as <name>', 'who answers: not who asked')
      .option('--reason <text>', 'why')
      .action(
        bind(async () => {
          const {approvalsResolve} = await import('../commands/approvals-resolve.ts');
          return approvalsResolve(verb);
        }),
      );
  }
}
