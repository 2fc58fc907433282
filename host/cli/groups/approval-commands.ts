// Commands for people who answer requests.
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addApprovalCommands(program: Commander, bind: Bind): void {
  const approvals = program.command('approvals').description('answer calls that need approval');
  approvals
    .command('list')
    .description('list requests for approval')
    .addOption(
      new Option('--state <state>', 'only requests in this state')
        .choices(['pending', 'approved', 'rejected', 'used', 'expired', 'withdrawn', 'all'])
        .default('pending'),
    )
    .option('--task <task>', 'only requests from this task')
    .action(bind(async () => (await import('../commands/approvals-list.ts')).approvalsList));
  approvals
    .command('show')
    .argument('<request>')
    .description('show a request: the exact call, and the rule that requires approval')
    .action(bind(async () => (await import('../commands/approvals-show.ts')).approvalsShow));
  approvals
    .command('withdraw')
    .argument('<request>')
    .description('withdraw your own request')
    .option('--as <name>', 'your name; must be the requester')
    .option('--reason <text>', 'reason for the withdrawal')
    .action(bind(async () => (await import('../commands/approvals-withdraw.ts')).approvalsWithdraw));
  approvals
    .command('link')
    .argument('<request>')
    .description('print a signed link by which a person answers once, without a token')
    .requiredOption('--to <name>', 'the person, or group:NAME of workspace.yaml')
    .option('--hours <hours>', 'how long the link can be used')
    .action(bind(async () => (await import('../commands/approvals-link.ts')).approvalsLink));
  for (const verb of ['approve', 'reject'] as const) {
    approvals
      .command(verb)
      .argument('<request>')
      .description(verb === 'approve' ? 'allow exactly this call, once' : 'reject exactly this call')
      .option('--as <name>', 'your name; must not be the requester')
      .option('--reason <text>', 'reason for the answer')
      .action(
        bind(async () => {
          const {approvalsResolve} = await import('../commands/approvals-resolve.ts');
          return approvalsResolve(verb);
        }),
      );
  }
}
