// The files of this machine that a guest's system consists of: those of a few packages, Node, and the libraries of both.
import {existsSync, lstatSync, readlinkSync, realpathSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import type {CommandExecutor} from '../../commands/command-executor.ts';

export interface SystemInput {
  readonly nodePath: string;
  readonly packages: readonly string[];
  readonly executor: CommandExecutor;
}

/** What people read, and what no program needs. */
const unneeded = /^\/usr\/share\/(?:doc|man|info|locale|lintian|bash-completion|bug|menu|icons|applications)\//;
const outputBytes = 16 * 1024 * 1024;
const commandMs = 60_000;

/** Absolute paths of files and symlinks, each in a directory without symlinks. */
export async function systemFilesOf({nodePath, packages, executor}: SystemInput): Promise<readonly string[]> {
  const run = async (command: string, args: readonly string[]): Promise<string> => {
    const outputSink = {kind: 'capture', maxBytes: outputBytes} as const;
    const env = {PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C'};
    return (await executor.run({command, args, cwd: '/', env, outputSink, timeoutMs: commandMs})).stdout;
  };
  const listed = (await run('dpkg-query', ['-L', ...packages])).split('\n');
  const files = [nodePath, ...listed.filter(isOfSystem)].flatMap(inPlace);
  const needed = [...new Set(files)].filter((path) => !unneeded.test(path));
  const libraries = await run('ldd', needed.filter(isProgram));
  const named = [...libraries.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
  return [...new Set([...needed, ...named.flatMap(inPlace)].flatMap(withTargets))];
}

/** Some packages still name /bin, which has become a symlink. */
function isOfSystem(path: string): boolean {
  return /^\/(?:usr|bin|sbin|lib|lib64)\//.test(path);
}

function inPlace(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const place = join(realpathSync(dirname(path)), basename(path));
  return lstatSync(place).isDirectory() ? [] : [place];
}

/** A symlink, and what it leads to. */
function withTargets(path: string): readonly string[] {
  if (!lstatSync(path).isSymbolicLink()) return [path];
  const target = resolve(dirname(path), readlinkSync(path));
  return [path, ...inPlace(target).flatMap((next) => (next === path ? [] : withTargets(next)))];
}

function isProgram(path: string): boolean {
  const entry = lstatSync(path);
  return entry.isFile() && ((entry.mode & 0o111) !== 0 || /\.so(?:\.|$)/.test(path));
}
