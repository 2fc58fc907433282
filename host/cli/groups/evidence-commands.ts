// Commands for the evidence log.
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';
import {addWitnessCommands} from './witness-commands.ts';

const copy = 'read a copy of a workspace, of its .lumenflow or of .lumenflow/kernel';

const exitCodes = `
Exit codes:
  0  verified
  1  not checked: the command line or a file is invalid
  2  tampered
  3  truncated or rolled back
  4  the newest records are not signed yet, or no key is known
  5  nothing to verify
  6  an input or output is missing or redacted
  7  a call on a worker is not attested by a worker of workspace.yaml
  8  fewer witnesses than required cosigned the newest checkpoint`;

export function addEvidenceCommands(program: Commander, bind: Bind): void {
  const evidence = program.command('evidence').description('read, verify and export the evidence log');
  evidence
    .command('list')
    .description('list the newest calls')
    .option('--task <task>', 'only calls in this task')
    .option('--tool <tool>', 'only calls of this tool')
    .option('--by <name>', 'only calls by this principal')
    .addOption(
      new Option('--result <result>', 'only calls with this result').choices([
        'success',
        'failure',
        'denied',
        'invalid',
        'crashed',
        'open',
      ]),
    )
    .option('--refused', 'only calls with a denial, before or during the run')
    .option('--since <time>', 'only calls that started at or after this time (ISO 8601, or a duration such as 24h)')
    .option('--until <time>', 'only calls that started at or before this time (ISO 8601, or a duration such as 24h)')
    .option('-n, --limit <count>', 'maximum number of calls', '20')
    .option('--before <record>', 'continue from the end of an earlier list')
    .option('--folder <dir>', copy)
    .action(bind(async () => (await import('../commands/evidence-list.ts')).evidenceList));
  evidence
    .command('show')
    .argument('<receipt>')
    .description('show the records of one call')
    .option('--log', "include the handler's log output")
    .option('--folder <dir>', copy)
    .action(bind(async () => (await import('../commands/evidence-show.ts')).evidenceShow));
  evidence
    .command('verify')
    .description('verify the chain, tree, signatures and contents from the files alone')
    .option('--folder <dir>', copy)
    .option('--key <key...>', 'trust these verifier keys instead of the published key')
    .option('--checkpoint <file...>', 'signed checkpoints from elsewhere, which reveal a rollback')
    .option('--archive <location>', 'where archived parts are; default the archive in workspace.yaml')
    .option('--proof <file>', 'verify the proof of one call instead of a log')
    .option('--witness <key...>', 'require cosignatures of these witnesses instead of those in workspace.yaml')
    .option('--witnesses <count>', 'how many of them must have cosigned (default: all)')
    .addHelpText('after', exitCodes)
    .action(bind(async () => (await import('../commands/evidence-verify.ts')).evidenceVerify));
  addCheckpointCommands(evidence, bind);
  addCopyingCommands(evidence, bind);
  addWitnessCommands(evidence, bind);
  addKeepingCommands(evidence, bind);
}

function addCheckpointCommands(evidence: Commander, bind: Bind): void {
  evidence
    .command('checkpoint')
    .description('sign a checkpoint over all records, for a place where no one can change it')
    .option('-o, --out <file>', 'output file')
    .action(bind(async () => (await import('../commands/evidence-checkpoint.ts')).evidenceCheckpoint));
  evidence
    .command('consistency')
    .argument('<checkpoint>')
    .description('prove that the log begins with what an older checkpoint was signed over')
    .option('--key <key...>', 'trust these verifier keys instead of the published key')
    .option('-o, --out <file>', 'output file for the proof')
    .action(bind(async () => (await import('../commands/evidence-consistency.ts')).evidenceConsistency));
}

function addCopyingCommands(evidence: Commander, bind: Bind): void {
  evidence
    .command('prove')
    .argument('<receipt>')
    .description('write a proof of one call, which verifies without the workspace')
    .option('-o, --out <file>', 'output file')
    .action(bind(async () => (await import('../commands/evidence-prove.ts')).evidenceProve));
  evidence
    .command('export')
    .description('export records as JSON Lines, exactly as in the log, or everything that verifies them')
    .option('--task <task>', 'only records of this task')
    .option('--since <time>', 'only calls that started at or after this time (ISO 8601, or a duration such as 24h)')
    .option('--until <time>', 'only calls that started at or before this time (ISO 8601, or a duration such as 24h)')
    .option('-o, --out <file>', 'output file')
    .option('--bundle <dir>', 'write both logs, checkpoints, keys and contents to this new directory')
    .option('--tiles <dir>', 'publish the hashes of both logs as C2SP tlog-tiles in this directory, or add the newest')
    .option('--folder <dir>', copy)
    .action(bind(async () => (await import('../commands/evidence-export.ts')).evidenceExport));
  evidence
    .command('redact')
    .argument('<receipt>')
    .requiredOption('--reason <text>', 'reason, recorded with your name')
    .description('permanently delete the input and output of a call; its records stay verifiable')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/evidence-redact.ts')).evidenceRedact));
  evidence
    .command('salvage')
    .description('make damaged logs open again; what cannot remain is put aside, and the salvage is recorded')
    .option('--reason <text>', 'reason, recorded with your name')
    .option('--as <name>', 'your name')
    .option('--dry-run', 'only report the damage')
    .action(bind(async () => (await import('../commands/evidence-salvage.ts')).evidenceSalvage));
}

function addKeepingCommands(evidence: Commander, bind: Bind): void {
  evidence
    .command('archive')
    .description('delete contents by the rules of `retention`, and move what is older to the archive of workspace.yaml')
    .option('--older-than <age>', 'age in days, such as 90d; default `archive.older_than`, or else 90d')
    .option('--dry-run', 'only report what would be deleted and moved')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/evidence-archive.ts')).evidenceArchive));
  const hold = evidence.command('hold').description('keep contents of calls from being deleted and redacted');
  hold
    .command('add')
    .description('add a legal hold on the calls that match all options')
    .option('--task <task>', 'calls in this task')
    .option('--session <session>', 'calls of this session')
    .option('--tool <tool>', 'calls of this tool')
    .option('--lane <lane>', 'calls in tasks of this lane')
    .option('--since <time>', 'calls that started at or after this time (ISO 8601, or a duration such as 24h)')
    .option('--until <time>', 'calls that started at or before this time (ISO 8601, or a duration such as 24h)')
    .requiredOption('--reason <text>', 'reason, recorded with your name')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/evidence-hold-add.ts')).evidenceHoldAdd));
  hold
    .command('list')
    .description('list the legal holds in force')
    .action(bind(async () => (await import('../commands/evidence-hold-list.ts')).evidenceHoldList));
  hold
    .command('lift')
    .argument('<hold>')
    .description('end a legal hold')
    .requiredOption('--reason <text>', 'reason, recorded with your name')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/evidence-hold-lift.ts')).evidenceHoldLift));
}
