// Commands about what was recorded.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const exitCodes = `
Exit codes:
  0  verified
  1  it could not be checked: the command line or a file is wrong
  2  tampered
  3  truncated or rolled back
  4  the newest records are not signed yet, or no key is known
  5  nothing to verify
  6  an input or output is missing or redacted`;

export function addEvidenceCommands(program: Commander, bind: Bind): void {
  const evidence = program.command('evidence').description('what was recorded, and whether it still holds');
  evidence
    .command('list')
    .description('the newest calls')
    .option('--task <task>', 'of this task only')
    .option('--tool <tool>', 'of this tool only')
    .option('--by <name>', 'of this principal only')
    .option('--result <result>', 'success, failure, denied, crashed or open')
    .option('--refused', 'only calls that something was refused, before they ran or while they did')
    .option('--since <time>', 'begun since, ISO 8601')
    .option('--until <time>', 'begun until, ISO 8601')
    .option('-n, --limit <count>', 'how many', '20')
    .option('--before <record>', 'go on where a list ended')
    .action(bind(async () => (await import('../commands/evidence-list.ts')).evidenceList));
  evidence
    .command('show')
    .argument('<receipt>')
    .description('all that was recorded of one call')
    .option('--log', 'also what its handler logged')
    .action(bind(async () => (await import('../commands/evidence-show.ts')).evidenceShow));
  evidence
    .command('verify')
    .description('check chain, tree, signatures and contents, from the files alone')
    .option('--folder <dir>', 'a copy of a workspace, of its .lumenflow or of .lumenflow/kernel')
    .option('--key <key...>', 'trust these verifier keys instead of the published one')
    .option('--checkpoint <file...>', 'signed checkpoints kept elsewhere: they show a rollback')
    .option('--proof <file>', 'instead of a log: the proof of one call')
    .addHelpText('after', exitCodes)
    .action(bind(async () => (await import('../commands/evidence-verify.ts')).evidenceVerify));
  addCopyingCommands(evidence, bind);
}

function addCopyingCommands(evidence: Commander, bind: Bind): void {
  evidence
    .command('prove')
    .argument('<receipt>')
    .description('a proof of one call that anybody can check without the workspace')
    .option('-o, --out <file>', 'write it there')
    .action(bind(async () => (await import('../commands/evidence-prove.ts')).evidenceProve));
  evidence
    .command('export')
    .description('records as JSON Lines, as they stand in the log')
    .option('--task <task>', 'of this task only')
    .option('--since <time>', 'of calls since, ISO 8601')
    .option('--until <time>', 'of calls until, ISO 8601')
    .option('-o, --out <file>', 'write them there')
    .action(bind(async () => (await import('../commands/evidence-export.ts')).evidenceExport));
  evidence
    .command('redact')
    .argument('<receipt>')
    .requiredOption('--reason <text>', 'why; it is recorded, with who')
    .description('destroy what a call took in and gave out, for good; its records stay and verify')
    .option('--as <name>', 'who acts')
    .action(bind(async () => (await import('../commands/evidence-redact.ts')).evidenceRedact));
}
