// The process as a command meets it: its arguments, environment and input, and the ways to end it.
import {constants} from 'node:os';
import type {CliRun} from '../run/cli-run.ts';
import type {Patches} from './patches.ts';

export function patchProcess(patches: Patches): void {
  const {intercept, substitute} = patches;
  substitute(
    process,
    'argv',
    (run) => run.argv,
    (run, value) => (run.argv = value as string[]),
  );
  substitute(
    process,
    'env',
    (run) => run.env,
    (run, value) => (run.env = value as NodeJS.ProcessEnv),
  );
  substitute(process, 'stdin', (run) => run.stdin.stream);
  intercept(process, 'exit', ({run, args}) => run.exit(args[0] as number | undefined));
  intercept(process, 'reallyExit', ({run, args}) => run.exit(args[0] as number | undefined));
  intercept(process, 'dlopen', ({run, proceed}) => run.resources.loadAddon(proceed));
  intercept(process, 'abort', ({run}) => endBySignal(run, 'SIGABRT'));
  intercept(process, 'kill', ({run, args: [pid, signal = 'SIGTERM'], proceed}) => {
    if (pid !== process.pid || signal === 0) return proceed();
    const name = typeof signal === 'string' ? signal : nameOf(signal);
    if (process.listenerCount(name) > 0) return process.emit(name as 'SIGTERM');
    return endBySignal(run, name);
  });
  // What a command left behind must not move or watch the next one.
  for (const key of ['chdir', 'umask', 'on', 'once', 'addListener', 'prependListener', 'prependOnceListener']) {
    intercept(process, key, ({run, proceed}) => (run.isOver ? process : proceed()));
  }
}

/** As a shell reports it: 128 and the signal's number. */
function endBySignal(run: CliRun, name: string): never {
  const signal = Object.entries(constants.signals).find(([known]) => known === name);
  if (signal === undefined) throw new TypeError(`unknown signal \`${name}\``);
  run.stop(128 + signal[1], `the command ended itself by ${name}`);
  return run.exit();
}

function nameOf(signal: unknown): string {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? String(signal);
}
