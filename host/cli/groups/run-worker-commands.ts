// Commands of workers, which run calls of hosts elsewhere, and of the hosts that use them.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';
import {addWorkerKeyCommands} from './worker-key-commands.ts';

export function addRunWorkerCommands(program: Commander, bind: Bind): void {
  const worker = program.command('worker');
  worker
    .description('run calls of other hosts on this machine, until Ctrl-C')
    .option('--listen <address>', 'HOST:PORT to listen on; port 0 selects a free port', '127.0.0.1:7070')
    .option('--workspace-cache <folder>', "folder for files of calls (default: in the user's state folder)")
    .option('--cache-size <MiB>', 'size above which the least recently used files are removed', '10240')
    .option('--backend <name>', 'what enforces the calls', 'bubblewrap')
    .option('--slots <number>', 'calls at a time', '16')
    .option('--network <entries...>', 'HOST:PORT entries that calls may have at most (default: all that hosts grant)')
    .option('--tls-cert <file>', 'certificate, in PEM')
    .option('--tls-key <file>', 'its private key, in PEM')
    .option('--client-ca <file>', 'require certificates of hosts that this authority has signed')
    .option('--insecure-http', 'serve other machines without TLS')
    .option(
      '--engine',
      "advance programs and agents' sessions that the workspace's engine assigns, instead of calls of hosts",
    )
    .option('--url <url>', 'with `--engine`: where the engine reaches this worker (default: the address of `--listen`)')
    .option(
      '--balance <urls...>',
      'with `--engine`: distribute the runs of the engine to the workers at these addresses, whose `--url` is this one',
    )
    .action(bind(async () => (await import('../commands/worker.ts')).worker));
  addWorkerKeyCommands(worker, bind);
}
