// Commands for the keys of a worker, and the hosts that it serves.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';
import {addKeyOptions} from './key-options.ts';

/** `worker` is the group that they belong to. */
export function addWorkerKeyCommands(worker: Commander, bind: Bind): void {
  addKeyOptions(
    worker.command('key').description("print this worker's public key, and create its key if it has none"),
  ).action(bind(async () => (await import('../commands/worker-key.ts')).workerKey));
  worker
    .command('trust')
    .argument('[line]', 'public key of a host, as `lumenflow workers key` prints it there')
    .description('run the calls of a host; without an argument, list the hosts')
    .action(bind(async () => (await import('../commands/worker-trust.ts')).workerTrust));
  worker
    .command('untrust')
    .argument('<host>', 'name of a host, or the id of one of its keys')
    .description('stop running the calls of a host')
    .action(bind(async () => (await import('../commands/worker-trust.ts')).workerUntrust));
}
