// Commands of a witness, which cosigns the checkpoints of other hosts.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

/** `evidence` is the group that they belong to. */
export function addWitnessCommands(evidence: Commander, bind: Bind): void {
  const witness = evidence
    .command('witness')
    .description('cosign the checkpoints of other hosts, so that a log that was rewritten is detected');
  witness
    .command('init')
    .argument('<dir>')
    .description('create the key of a new witness, and print its verifier key')
    .requiredOption('--name <name>', 'name of the witness: its host name and path, for example witness.example/w1')
    .action(bind(async () => (await import('../commands/witness-init.ts')).witnessInit));
  witness
    .command('trust')
    .argument('<dir>')
    .argument('[key]', 'verifier key of a workspace, a line of its .lumenflow/keys/evidence.pub')
    .description('cosign the logs of a workspace; without a key, list the logs')
    .option('--origin <origin>', 'cosign one log with this origin (default: both logs of the workspace)')
    .action(bind(async () => (await import('../commands/witness-trust.ts')).witnessTrust));
  witness
    .command('serve')
    .argument('<dir>')
    .description('serve C2SP tlog-witness, until Ctrl-C')
    .option('--listen <address>', 'HOST:PORT to listen on; port 0 selects a free port', '127.0.0.1:7080')
    .action(bind(async () => (await import('../commands/witness-serve.ts')).witnessServe));
}
