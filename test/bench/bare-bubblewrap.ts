// Runs a command in bubblewrap as somebody would by hand: the baseline of sandboxed calls.
import {createSpawnExecutor} from '@lumenflow/sandbox';
import {existsSync, lstatSync, readlinkSync} from 'node:fs';

const executor = createSpawnExecutor();

/** What somebody would write by hand: all namespaces, the system's programs, a /proc and a /dev. */
export async function bareBubblewrap(command: readonly string[]): Promise<void> {
  const args = [...bareArgs, '--', ...command];
  const ended = await executor.run({
    command: 'bwrap',
    args,
    cwd: '/',
    env: {PATH: process.env['PATH'] ?? ''},
    outputSink: {kind: 'capture', maxBytes: 10_000},
  });
  if (ended.exitCode !== 0) throw new Error(`bwrap failed: ${ended.startError ?? ended.stderr}`);
}

const bareArgs: readonly string[] = [
  '--unshare-all',
  '--die-with-parent',
  ...['/usr', '/bin', '/lib', '/lib64'].flatMap(placeArgs),
  ...(process.execPath.startsWith('/usr/') ? [] : ['--ro-bind', process.execPath, process.execPath]),
  '--proc',
  '/proc',
  '--dev',
  '/dev',
];

function placeArgs(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}
