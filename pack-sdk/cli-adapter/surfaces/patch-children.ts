// Children that share their parent's standard streams share those of the run: asynchronous children through pipes, synchronous ones
// through files, because no code could read a pipe while they run.
import child_process, {ChildProcess} from 'node:child_process';
import type {Readable} from 'node:stream';
import type {CliRun} from '../run/cli-run.ts';
import {lendFiles} from './lend-files.ts';
import type {InterceptedCall, Patches} from './patches.ts';
import {inheritedBy, withStdio, type Inherited} from './standard-streams.ts';

/** For what a child that has ended left in the background with its output open. */
const drainMs = 500;

export function patchChildren(patches: Patches): void {
  patches.intercept(ChildProcess.prototype, 'spawn', spawn);
  for (const key of ['spawnSync', 'execSync', 'execFileSync']) patches.intercept(child_process, key, runSync);
}

function spawn({run, self, args: [given, ...rest], proceed}: InterceptedCall): unknown {
  const options = given as {stdio?: unknown};
  const inherited = inheritedBy(options.stdio ?? 'pipe');
  if (inherited.length === 0) return proceed();
  const child = self as ChildProcess;
  const result = proceed([{...options, stdio: withStdio(options.stdio, inherited, () => 'pipe')}, ...rest]);
  const outputs = inherited.flatMap(({at, fd}) => connect(run, child, {at, fd}));
  delayEnd(child, outputs);
  return result;
}

/** The pipe takes the place of what the child inherits, and the child does not show it. */
function connect(run: CliRun, child: ChildProcess, {at, fd}: Inherited): readonly Readable[] {
  const pipe = child.stdio[at] as (Readable & {end?(data: Uint8Array): void}) | null | undefined;
  Reflect.set(child.stdio, at, null);
  const name = ['stdin', 'stdout', 'stderr'][at];
  if (name !== undefined) Reflect.set(child, name, null);
  if (pipe === null || pipe === undefined) return [];
  // A child that does not read its input closes it.
  pipe.on('error', () => pipe.destroy());
  if (fd === 0) {
    pipe.end?.(run.stdin.take());
    return [];
  }
  pipe.on('data', (bytes: Uint8Array) => run.output[fd].print(bytes));
  return [pipe];
}

/** A listener of the child's end may end the run, so the child's output must be complete by then. */
function delayEnd(child: ChildProcess, outputs: readonly Readable[]): void {
  let open = outputs.length;
  const held: unknown[][] = [];
  const emit = child.emit;
  const release = (): void => {
    open = 0;
    child.emit = emit;
    for (const event of held.splice(0)) Reflect.apply(emit, child, event);
  };
  for (const output of outputs) output.once('close', () => void (--open === 0 && release()));
  child.emit = (...event: unknown[]): boolean => {
    if (open === 0 || (event[0] !== 'exit' && event[0] !== 'close')) return Reflect.apply(emit, child, event);
    if (held.length === 0) setTimeout(release, drainMs).unref();
    held.push(event);
    return true;
  };
}

function runSync({run, args, proceed}: InterceptedCall): unknown {
  const at = args.findLastIndex(
    (argument) => typeof argument === 'object' && argument !== null && !Array.isArray(argument),
  );
  const options = (args[at] ?? {}) as {stdio?: unknown};
  const inherited = inheritedBy(options.stdio ?? 'pipe');
  if (inherited.length === 0) return proceed();
  const files = lendFiles(run);
  try {
    const stdio = withStdio(options.stdio, inherited, ({fd}) => files.descriptor(fd));
    return proceed(args.with(at, {...options, stdio}));
  } finally {
    files.takeBack();
  }
}
