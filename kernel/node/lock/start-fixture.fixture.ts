// Starts a fixture as a separate process, on the sources.
import {spawn, type ChildProcessByStdio} from 'node:child_process';
import {once} from 'node:events';
import type {Readable} from 'node:stream';
import {fileURLToPath} from 'node:url';

export type FixtureProcess = ChildProcessByStdio<null, Readable, null>;

export function startFixture(url: URL, ...args: readonly string[]): FixtureProcess {
  const nodeArgs = ['--import', 'tsx', '--conditions=@lumenflow/source', fileURLToPath(url), ...args];
  return spawn(process.execPath, nodeArgs, {stdio: ['ignore', 'pipe', 'inherit']});
}

/** The first line that the process writes. */
export async function firstLine(child: FixtureProcess): Promise<string> {
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString().split('\n')[0] ?? '';
}

/** How the process ended: its exit code, or the signal that ended it. */
export async function ending(child: FixtureProcess): Promise<number | string> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? String(child.signalCode);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return code ?? signal ?? 'unknown';
}

/** Ends the process as a crash would. */
export async function kill(child: FixtureProcess): Promise<void> {
  child.kill('SIGKILL');
  await ending(child);
}
