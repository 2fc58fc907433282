// The host's side of ctx.fs for a tool under test: real files, exactly as far as they are granted.
import type {Dirent, Stats} from 'node:fs';
import {lstat, mkdir, readdir, readFile, realpath, rmdir, unlink, writeFile} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import type {FileStat} from '../tool-context.ts';
import {ToolError} from '../tool-error.ts';
import type {GrantedPaths} from './test-grants.ts';

type Params = Readonly<Record<string, unknown>>;

export interface WorkspaceFiles {
  /** Rejects with ToolError of the codes that a host gives. */
  answer(method: string, params: Params): Promise<unknown>;
}

/** `root` is absolute and without symlinks. */
export function createWorkspaceFiles(root: string, granted: GrantedPaths): WorkspaceFiles {
  return {
    async answer(method, params) {
      const operation = operations[method];
      if (operation === undefined) throw new ToolError('INVALID_INPUT', `unknown method \`${method}\``);
      const path = normalize(String(params['path']));
      try {
        return await operation({root, granted, path}, params);
      } catch (error) {
        throw toToolError(error, path);
      }
    },
  };
}

interface Place {
  readonly root: string;
  readonly granted: GrantedPaths;
  readonly path: string;
}

const operations: Readonly<Record<string, (place: Place, params: Params) => Promise<unknown>>> = {
  async fs_read(place) {
    require(place.granted.allows(place.path, 'read'), place.path, 'read');
    const content = await readFile(await followed(place));
    return {content_base64: content.toString('base64')};
  },
  async fs_write({root, granted, path}, params) {
    require(granted.allows(path, 'write'), path, 'write');
    await refuseLinks(root, path);
    await mkdir(dirname(join(root, path)), {recursive: true});
    const content = Buffer.from(String(params['content_base64']), 'base64');
    await writeFile(join(root, path), content, {flag: params['exclusive'] === true ? 'wx' : 'w'});
    return {};
  },
  async fs_list(place) {
    const {path} = place;
    require(isVisible(place), path, 'read');
    const entries = await readdir(await followed(place), {withFileTypes: true});
    const shown = entries
      .map((entry) => ({name: entry.name, kind: kindOf(entry)}))
      .filter(({name, kind}) => isShown({...place, path: path === '.' ? name : `${path}/${name}`}, kind));
    return {entries: shown.toSorted((a, b) => (a.name < b.name ? -1 : 1))};
  },
  async fs_stat(place) {
    require(isVisible(place), place.path, 'read');
    const stat = await statOf(place.root, place.path);
    if (stat === undefined) return {};
    require(isShown(place, stat.kind), place.path, 'read');
    return {stat};
  },
  async fs_remove({root, granted, path}) {
    require(granted.allows(path, 'write'), path, 'write');
    await refuseLinks(root, dirname(path));
    const isFolder = (await lstat(join(root, path))).isDirectory();
    await (isFolder ? rmdir(join(root, path)) : unlink(join(root, path)));
    return {};
  },
};

function isVisible({granted, path}: Place): boolean {
  return granted.allows(path, 'read') || granted.leadsToReadable(path);
}

/** Only a folder leads to anything. */
function isShown({granted, path}: Place, kind: FileStat['kind']): boolean {
  return granted.allows(path, 'read') || (kind === 'directory' && granted.leadsToReadable(path));
}

/** The absolute path behind links, when that may be read too. */
async function followed({root, granted, path}: Place): Promise<string> {
  const real = await realpath(join(root, path));
  const target = relative(root, real).split(sep).join('/') || '.';
  const isInside = target !== '..' && !target.startsWith('../');
  require(isInside && isVisible({root, granted, path: target}), path, 'read');
  return real;
}

/** As a host does: by its text alone, before any file is accessed. */
function normalize(path: string): string {
  const names: string[] = [];
  let isBelow = path !== '' && !/^\/|^[A-Za-z]:|[\0\\]/u.test(path);
  for (const name of path.split('/')) {
    if (name === '..') isBelow &&= names.pop() !== undefined;
    else if (name !== '' && name !== '.') names.push(name);
  }
  if (isBelow) return names.length === 0 ? '.' : names.join('/');
  throw new ToolError('INVALID_PATH', `\`${path}\` is not a path below the workspace root: give one relative to it`);
}

function require(isGranted: boolean, path: string, access: 'read' | 'write'): void {
  if (!isGranted) throw notGranted(path, access);
}

function notGranted(path: string, access: 'read' | 'write'): ToolError {
  const what = access === 'read' ? 'reading' : 'writing';
  return new ToolError('SCOPE_DENIED', `${what} \`${path}\` is not granted`, {path, access});
}

/** Changing never follows a link, also not one on the way. */
async function refuseLinks(root: string, path: string): Promise<void> {
  const names = path.split('/');
  for (let count = 1; count <= names.length; count++) {
    const part = names.slice(0, count).join('/');
    if ((await statOf(root, part))?.kind !== 'symlink') continue;
    throw new ToolError('SCOPE_DENIED', `\`${path}\` leads over the symlink \`${part}\``, {path});
  }
}

async function statOf(root: string, path: string): Promise<FileStat | undefined> {
  try {
    const found = await lstat(join(root, path));
    return {kind: kindOf(found), size: found.size, mtime_ms: found.mtimeMs};
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function kindOf(entry: Dirent | Stats): FileStat['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

const codes: Readonly<Record<string, string>> = {
  ENOENT: 'NOT_FOUND',
  EEXIST: 'EXISTS',
  ENOTDIR: 'NOT_A_DIRECTORY',
  EISDIR: 'NOT_A_FILE',
  ENOTEMPTY: 'NOT_EMPTY',
};

function toToolError(error: unknown, path: string): unknown {
  const code = (error as {code?: unknown} | undefined)?.code;
  if (error instanceof ToolError || typeof code !== 'string') return error;
  return new ToolError(codes[code] ?? 'IO_ERROR', `\`${path}\` cannot be used: ${code}`, {path});
}
