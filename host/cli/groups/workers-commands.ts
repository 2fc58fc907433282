// Commands of hosts for the workers that run their calls.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';
import {addKeyOptions} from './key-options.ts';

export function addWorkersCommands(program: Commander, bind: Bind): void {
  const workers = program.command('workers').description('manage the workers that run calls of this workspace');
  addKeyOptions(
    workers.command('key').description("print this host's public key, and create its key if it has none"),
  ).action(bind(async () => (await import('../commands/host-key.ts')).hostKey));
  workers
    .command('add')
    .argument('<name>', 'name of the worker')
    .argument('<url>', 'its address, as https://HOST:PORT')
    .argument('<line>', 'its public key, as `lumenflow worker key` prints it there')
    .description('add a worker to workspace.yaml, or change its address and key')
    .option('--ca <file>', 'authority of its certificate, in PEM')
    .option('--client-cert <file>', 'certificate of this host for a worker with `--client-ca`, in PEM')
    .option('--client-key <file>', 'private key of that certificate, in PEM')
    .option('--insecure-http', 'accept an http:// address of another machine')
    .action(bind(async () => (await import('../commands/workers-edit.ts')).workersAdd));
  workers
    .command('drain')
    .argument('<name>')
    .description('make a worker finish its calls and accept no new ones from any host, until it restarts')
    .action(bind(async () => (await import('../commands/workers-drain.ts')).workersDrain));
  workers
    .command('list')
    .description('list the workers of workspace.yaml, and what each reports about itself')
    .action(bind(async () => (await import('../commands/workers-list.ts')).workersList));
  workers
    .command('forget')
    .argument('<name>')
    .description('remove a worker from workspace.yaml; what it attested stays valid')
    .option('--distrust', 'what it attested is no longer valid: for a worker that was added by mistake')
    .action(bind(async () => (await import('../commands/workers-edit.ts')).workersForget));
}
