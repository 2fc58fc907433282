// Runs a command until it ends as its own process would: by `process.exit`, by an error, or when its code has settled and none of
// its resources can run more of it.
import {pathToFileURL} from 'node:url';
import type {CliRun} from './run/cli-run.ts';
import type {CommandPlace} from './find-command.ts';
import type {ScriptLoader} from './script-loader.ts';

/** Between two looks at what is left; shorter at first, since most commands are. */
const pauseMaxMs = 20;
/** Once more than a turn, because what is left may hand over to what comes next. */
const quietTurns = 2;
/** About a second, for an await on what nothing reports, such as an answer of the host. */
const quietTurnsUnsettled = 60;

export interface Command {
  readonly place: CommandPlace;
  readonly scripts: ScriptLoader;
}

/** Calls code so that all it does is the run's. */
export type Inside = <Value>(start: () => Value) => Value;

export async function runToEnd(run: CliRun, command: Command, inside: Inside): Promise<void> {
  const {kind, path} = command.place;
  const start = kind === 'script' ? command.scripts.prepare(path) : () => callMain(run, path);
  const restoreModules = kind === 'script' ? command.scripts.isolate() : undefined;
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  try {
    void inside(() => start().then(settle, (error: unknown) => run.fail(error)));
    do {
      await becomeQuiet(run, () => isSettled);
      if (run.isOver) return;
      if (!isSettled) return inside(() => run.giveUp());
      inside(() => run.beforeExit());
      await pause(0, run.ended);
    } while (run.resources.isActive());
    inside(() => run.finish());
  } finally {
    restoreModules?.();
  }
}

async function callMain(run: CliRun, path: string): Promise<void> {
  const module = (await run.resources.hold(import(pathToFileURL(path).href))) as Record<string, unknown>;
  // CommonJS that Node cannot lex has its exports in `default` only.
  const main = module['main'] ?? (module['default'] as Record<string, unknown> | undefined)?.['main'];
  if (typeof main === 'function') await (main as () => unknown)();
  else {
    throw new TypeError(
      `the module \`${path}\` exports no function \`main\`: name a program that runs when it is loaded as a \`script\``,
    );
  }
}

async function becomeQuiet(run: CliRun, isSettled: () => boolean): Promise<void> {
  let pauseMs = 0;
  for (let turns = 0; !run.isOver && turns < (isSettled() ? quietTurns : quietTurnsUnsettled);) {
    await pause(pauseMs, run.ended);
    const isActive = run.resources.isActive();
    turns = isActive ? 0 : turns + 1;
    pauseMs = isSettled() && !isActive ? 0 : Math.min(pauseMs + 1, pauseMaxMs);
  }
}

async function pause(ms: number, ended: Promise<void>): Promise<void> {
  let stop = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    const timer = ms === 0 ? undefined : setTimeout(resolve, ms);
    const immediate = ms === 0 ? setImmediate(resolve) : undefined;
    stop = () => (clearTimeout(timer), clearImmediate(immediate));
  });
  await Promise.race([over, ended]);
  stop();
}
