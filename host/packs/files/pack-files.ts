// The files of a pack, each with its hash from when the pack was hashed. Later reads must match that hash, so the hashed bytes
// are the loaded bytes.
import {lstatSync, readdirSync, readlinkSync, realpathSync} from 'node:fs';
import {readFile, realpath} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {hashEach, sha256} from './hash-each.ts';

export interface PackFiles {
  /** Absolute, symlinks resolved. */
  readonly root: string;
  /** SHA-256 (hex) by path relative to the root, with `/`; for a link to a folder, the hash of its target's path. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Paths of links, a part of `hashes`. */
  readonly links: ReadonlySet<string>;
  has(path: string): boolean;
  /** Throws PackFileError when the file is not part of the pack, or has changed since it was hashed. */
  read(path: string): Promise<Uint8Array>;
}

export interface HashedFile {
  /** Relative to the pack with `/`; a dependency outside of it is named `node_modules/<package>/<path>`. */
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
}

/** Thrown, because esbuild's plugins and references of any depth read files, and their callers report the first one. */
export class PackFileError extends Error {
  /** Relative to the pack's root. */
  readonly path: string;

  /** `message` continues after the path. */
  constructor(path: string, message: string) {
    super(message);
    this.name = 'PackFileError';
    this.path = path;
  }
}

/**
 * Not part of a pack: its repository's history, the state of a workspace in the same folder, and installed dependencies. The
 * bundle lists the dependencies that it contains.
 */
const skippedFolders: ReadonlySet<string> = new Set(['.git', '.lumenflow', 'node_modules']);
/** Files that describe the pack cannot be part of it: the pin, the lock, the signature. */
const skippedFiles: ReadonlySet<string> = new Set(['workspace.yaml', 'packs.lock', 'pack.sig']);
const filesMax = 20_000;
const bytesMax = 256 * 1024 * 1024;

/** Hashes every file below `root`. Throws PackFileError for a link that leaves the pack and for special files. */
export async function readPackFiles(root: string): Promise<PackFiles> {
  const realRoot = await realpath(root);
  const links: Links = {all: new Set(), folders: new Map()};
  const hashes = new Map<string, string>();
  let bytesRead = 0;
  for await (const {path, bytes, sha256: hash} of hashEach(realRoot, filesIn(realRoot, links))) {
    bytesRead += bytes;
    if (bytesRead > bytesMax) throw new PackFileError(path, `makes the pack larger than ${bytesMax} bytes`);
    hashes.set(path, hash);
  }
  for (const [path, hash] of links.folders) hashes.set(path, hash);
  return {
    root: realRoot,
    hashes,
    links: links.all,
    has: (path) => hashes.has(path),
    read: async (path) => await readHashed(realRoot, path, hashes.get(path)),
  };
}

/** The same files; `read` receives the path of each file that is read through them. */
export function noteReads(files: PackFiles, read: Set<string>): PackFiles {
  return {
    ...files,
    read: async (path) => {
      read.add(path);
      return await files.read(path);
    },
  };
}

interface Links {
  readonly all: Set<string>;
  /** Hashes of links to folders. */
  readonly folders: Map<string, string>;
}

/**
 * The paths of all files. A link to a file is listed as that file under a second name; a link to a folder is in `links.folders`
 * with its hash.
 */
function* filesIn(root: string, links: Links): Generator<string> {
  let found = 0;
  for (const {path, isLink} of walk(root, '')) {
    found += 1;
    if (found > filesMax) throw new PackFileError(path, `is one of more than ${filesMax} files`);
    if (isLink) links.all.add(path);
    const folder = isLink ? linkedFolder(root, path) : undefined;
    if (folder === undefined) yield path;
    else links.folders.set(path, sha256(`folder ${folder}`));
  }
}

function* walk(root: string, folder: string): Generator<{readonly path: string; readonly isLink: boolean}> {
  for (const entry of readdirSync(join(root, folder), {withFileTypes: true})) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name)) yield* walk(root, path);
    } else if (skippedFiles.has(path)) continue;
    else if (entry.isFile() || entry.isSymbolicLink()) yield {path, isLink: entry.isSymbolicLink()};
    else throw new PackFileError(path, 'is neither a file, a folder nor a link');
  }
}

/** The target of a link to a folder, relative to the root with `/`; undefined for a link to a file. */
function linkedFolder(root: string, path: string): string | undefined {
  const target = resolveLink(root, path);
  const inside = relative(root, target);
  if (inside === '..' || inside.startsWith(`..${sep}`)) {
    const leads = readlinkSync(join(root, path));
    throw new PackFileError(path, `is a link that leaves the pack: it leads to \`${leads}\``);
  }
  return lstatSync(target).isFile() ? undefined : inside.split(sep).join('/');
}

function resolveLink(root: string, path: string): string {
  try {
    return realpathSync(join(root, path));
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
