// The files of a pack, each with the hash it had when the pack was hashed. What is read later must still have it,
// so that what was hashed is what is loaded.
import {createHash} from 'node:crypto';
import {lstat, readdir, readFile, readlink, realpath} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';

export interface PackFiles {
  /** Absolute, symlinks resolved. */
  readonly root: string;
  /** SHA-256 (hex) by path relative to the root, with `/`; a link to a folder stands with the hash of its target's path. */
  readonly hashes: ReadonlyMap<string, string>;
  has(path: string): boolean;
  /** Throws PackFileError when the file is not one of the pack, or changed since it was hashed. */
  read(path: string): Promise<Uint8Array>;
}

export interface HashedFile {
  /** Relative to the pack with `/`; a dependency outside of it is named `node_modules/<package>/<path>`. */
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
}

export class PackFileError extends Error {
  /** Relative to the pack's root. */
  readonly path: string;

  /** `message` goes on after the path. */
  constructor(path: string, message: string) {
    super(message);
    this.name = 'PackFileError';
    this.path = path;
  }
}

/**
 * Not part of a pack: the history of its repository, the state of a workspace that lives in the same folder, and what
 * is installed, of which the bundle says what it took in, wherever that lies.
 */
const skippedFolders: ReadonlySet<string> = new Set(['.git', '.lumenflow', 'node_modules']);
/** What stands beside the pack and says something of it cannot be part of it: the pin, the lock, the signature. */
const skippedFiles: ReadonlySet<string> = new Set(['workspace.yaml', 'packs.lock', 'pack.sig']);
const filesMax = 20_000;
const bytesMax = 256 * 1024 * 1024;
const readsAtOnce = 32;

/** Hashes every file below `root`. Throws PackFileError for a link that leaves the pack and for what is no plain file. */
export async function readPackFiles(root: string): Promise<PackFiles> {
  const realRoot = await realpath(root);
  const hashes = new Map<string, string>();
  const files: string[] = [];
  await walk(realRoot, '', async (path, kind) => {
    if (files.length + hashes.size >= filesMax) throw new PackFileError(path, `is one of more than ${filesMax} files`);
    if (kind === 'file') files.push(path);
    else await addLink(realRoot, path, {files, hashes});
  });
  let bytes = 0;
  for (let start = 0; start < files.length; start += readsAtOnce) {
    const contents = await Promise.all(
      files
        .slice(start, start + readsAtOnce)
        .map(async (path) => [path, await readFile(join(realRoot, path))] as const),
    );
    for (const [path, content] of contents) {
      bytes += content.byteLength;
      if (bytes > bytesMax) throw new PackFileError(path, `is where the pack grows beyond ${bytesMax} bytes`);
      hashes.set(path, sha256(content));
    }
  }
  return {
    root: realRoot,
    hashes,
    has: (path) => hashes.has(path),
    read: async (path) => await readHashed(realRoot, path, hashes.get(path)),
  };
}

async function walk(
  root: string,
  folder: string,
  visit: (path: string, kind: 'file' | 'link') => Promise<void>,
): Promise<void> {
  for (const entry of await readdir(join(root, folder), {withFileTypes: true})) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name)) await walk(root, path, visit);
    } else if (skippedFiles.has(path)) continue;
    else if (entry.isFile()) await visit(path, 'file');
    else if (entry.isSymbolicLink()) await visit(path, 'link');
    else throw new PackFileError(path, 'is neither a file, a folder nor a link');
  }
}

/** A link to a file counts as that file under a second name; a link to a folder counts with where it leads. */
async function addLink(
  root: string,
  path: string,
  into: {files: string[]; hashes: Map<string, string>},
): Promise<void> {
  const target = await resolveLink(root, path);
  const inside = relative(root, target);
  if (inside === '..' || inside.startsWith(`..${sep}`)) {
    throw new PackFileError(
      path,
      `is a link that leaves the pack: it leads to \`${await readlink(join(root, path))}\``,
    );
  }
  if ((await lstat(target)).isFile()) into.files.push(path);
  else into.hashes.set(path, sha256(`folder ${inside.split(sep).join('/')}`));
}

async function resolveLink(root: string, path: string): Promise<string> {
  try {
    return await realpath(join(root, path));
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    throw new PackFileError(path, code === 'ELOOP' ? 'is a link that leads to itself' : 'is a link that leads nowhere');
  }
}

async function readHashed(root: string, path: string, hash: string | undefined): Promise<Uint8Array> {
  if (hash === undefined) throw new PackFileError(path, 'is not a file of the pack');
  const content = await readFile(join(root, path));
  if (sha256(content) !== hash) throw new PackFileError(path, 'changed while the pack was loaded');
  return content;
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
