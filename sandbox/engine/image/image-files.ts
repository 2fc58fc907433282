// What a runner image contains: Node, and the programs that tools use, each with the libraries that it is linked with, at the paths
// that they have on this machine.
import {existsSync, lstatSync, readdirSync, readlinkSync, realpathSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import type {CommandExecutor} from '../../commands/command-executor.ts';
import {findProgram} from '../../commands/find-program.ts';
import type {TarEntry} from './tar-archive.ts';

export interface ImageSource {
  /** Without symlinks. */
  readonly nodePath: string;
  readonly executor: CommandExecutor;
}

/** Beyond Node; those that this machine lacks are left out. */
const programs: readonly string[] = `
  sh bash env cat ls cp mv rm ln mkdir rmdir mkfifo mktemp chmod chown touch stat readlink realpath basename
  dirname pwd test true false sleep date echo printf head tail wc sort uniq cut tr tee od seq expr sha256sum
  base64 id whoami uname nproc timeout nohup df du dd sync kill ps prlimit setpriv setsid unshare grep sed awk
  find xargs diff cmp patch tar gzip git perl npm npx
`
  .trim()
  .split(/\s+/);
/** What some of them read besides. */
const folders: readonly string[] = [
  '/usr/lib/git-core',
  '/usr/share/git-core',
  '/usr/lib/locale/C.utf8',
  '/usr/lib/node_modules/npm',
  '/usr/lib/x86_64-linux-gnu/perl-base',
  '/usr/lib/aarch64-linux-gnu/perl-base',
];
/**
 * Of the C library and the compiler, beside the others: addons of npm packages are linked with them, and Node and the programs need
 * not be.
 */
const libraryNames: readonly string[] = `
  libanl.so.1 libatomic.so.1 libdl.so.2 libgcc_s.so.1 libm.so.6 libpthread.so.0 libresolv.so.2 librt.so.1
  libstdc++.so.6 libutil.so.1
`
  .trim()
  .split(/\s+/);
/** On many distributions symlinks into /usr. */
const topLevel: readonly string[] = ['/bin', '/sbin', '/lib', '/lib64'];
/** Mount points of what every container gets. */
const mountPoints: readonly string[] = ['/dev', '/etc', '/proc', '/run', '/sys', '/tmp', '/var'];
const linkMs = 30_000;

/** Parents first. */
export async function imageFiles({nodePath, executor}: ImageSource): Promise<readonly TarEntry[]> {
  const found = [nodePath, ...programs.flatMap((name) => findProgram(name) ?? [])];
  const libraries = await librariesOf([...new Set(found.map((path) => realpathSync(path)))], executor);
  const beside = [...new Set(libraries.map((path) => dirname(path)))].flatMap((folder) =>
    libraryNames.map((name) => join(folder, name)),
  );
  const entries = new Map<string, TarEntry>();
  for (const path of [...topLevel, ...found, ...libraries, ...beside]) addFile(entries, path);
  for (const path of folders) if (existsSync(path)) addTree(entries, path);
  for (const path of mountPoints) entries.set(path, {path, kind: 'directory'});
  return [...entries.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Scripts are linked with nothing. */
async function librariesOf(paths: readonly string[], executor: CommandExecutor): Promise<readonly string[]> {
  const ldd = findProgram('ldd');
  if (ldd === undefined) return [];
  const {stdout} = await executor.run({
    command: ldd,
    args: paths,
    cwd: '/',
    env: {PATH: '/usr/bin:/bin'},
    outputSink: {kind: 'capture', maxBytes: 1_000_000},
    timeoutMs: linkMs,
  });
  const named = stdout.matchAll(/^\t(?:\S+ => )?(\/\S+) \(0x/gm);
  return [...new Set([...named].map(([, path = '']) => path))];
}

/** Follows each symlink on the way, so that the same path leads to the same file inside. */
function addFile(entries: Map<string, TarEntry>, path: string): void {
  let current = '/';
  for (const name of path.split('/').filter(Boolean)) {
    const next = join(current, name);
    const entry = entryAt(next);
    if (entry === undefined) return;
    entries.set(next, entry);
    if (entry.kind === 'symlink') addFile(entries, resolve(current, entry.target));
    current = entry.kind === 'symlink' && existsSync(next) ? realpathSync(next) : next;
  }
}

function addTree(entries: Map<string, TarEntry>, folder: string): void {
  addFile(entries, folder);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isDirectory()) addTree(entries, path);
    else addFile(entries, path);
  }
}

/** Undefined for anything else. No file has a set-id bit, or may be written to. */
function entryAt(path: string): TarEntry | undefined {
  const stat = lstatSync(path, {throwIfNoEntry: false});
  if (stat?.isSymbolicLink() === true) return {path, kind: 'symlink', target: readlinkSync(path)};
  if (stat?.isDirectory() === true) return {path, kind: 'directory'};
  if (stat?.isFile() !== true) return undefined;
  return {
    path,
    kind: 'file',
    isExecutable: (stat.mode & 0o111) !== 0,
    size: stat.size,
    content: {path, mtimeMs: stat.mtimeMs},
  };
}
