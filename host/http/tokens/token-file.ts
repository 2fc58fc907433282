// The token file. It contains only hashes, is private to its owner, and is replaced as a whole. One process at a time changes it;
// others see the old or the new file.
import {isIdentifier} from '@lumenflow/kernel';
import {closeSync, fstatSync, openSync, readFileSync, statSync, type BigIntStats} from 'node:fs';
import {mkdir, open, rename, rm, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

/**
 * agent: works in its own tasks. operator: sees everything and answers approvals. admin: can do everything. directory: an identity
 * provider, which provisions people and does nothing else. monitor: reads metrics and does nothing else.
 */
export type Role = (typeof roles)[number];

export const roles = ['agent', 'operator', 'admin', 'directory', 'monitor'] as const;

export interface StoredToken {
  readonly name: string;
  readonly role: Role;
  /** Of the token, hex. */
  readonly sha256: string;
  readonly created_at: string;
}

/**
 * The token file cannot be used. The server rejects every token until it is repaired. It is thrown, because no caller of a
 * token store can continue without the file.
 */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

const lockAttemptsMax = 40;
const lockPauseMs = 50;

/** Changes with the file; undefined if there is none. Throws TokenFileError if the file cannot be inspected. */
export function tokenFileVersion(path: string): string | undefined {
  const stats = lookAt(path);
  return stats && `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.mode}`;
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, {bigint: true, throwIfNoEntry: false});
  } catch (error) {
    throw new TokenFileError(`\`${path}\` cannot be read`, {cause: error});
  }
}

/** A missing file contains no tokens. Throws TokenFileError if other users can read the file or own it. */
export function readTokenFile(path: string): readonly StoredToken[] {
  const text = readPrivate(path);
  if (text === undefined) return [];
  const tokens = parseTokens(text);
  if (tokens) return tokens;
  throw new TokenFileError(
    `\`${path}\` is not a valid token file: restore it, or remove it to create a new admin token`,
  );
}

function readPrivate(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new TokenFileError(`\`${path}\` cannot be read`, {cause: error});
  }
  try {
    const stats = fstatSync(file);
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      throw new TokenFileError(`\`${path}\` is accessible to other users: run \`chmod 600\` on it`);
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof TokenFileError) throw error;
    throw new TokenFileError(`\`${path}\` cannot be read`, {cause: error});
  } finally {
    closeSync(file);
  }
}

function parseTokens(text: string): readonly StoredToken[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller reports the error with the file's name.
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('tokens' in value) || !Array.isArray(value.tokens))
    return undefined;
  const tokens: readonly unknown[] = value.tokens;
  return tokens.every(isStoredToken) ? tokens : undefined;
}

function isStoredToken(value: unknown): value is StoredToken {
  if (typeof value !== 'object' || value === null) return false;
  const {name, role, sha256, created_at} = value as Partial<Record<keyof StoredToken, unknown>>;
  return (
    isIdentifier(name) &&
    roles.some((each) => each === role) &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    typeof created_at === 'string'
  );
}

/** Throws TokenFileError if the file cannot be changed, or another process locks it for too long. */
export async function changeTokenFile<T>(path: string, change: TokenChange<T>): Promise<T> {
  try {
    await mkdir(dirname(path), {recursive: true, mode: 0o700});
    return await changeAlone(path, change);
  } catch (error) {
    if (error instanceof TokenFileError) throw error;
    throw new TokenFileError(`\`${path}\` cannot be changed`, {cause: error});
  }
}

type TokenChange<T> = (tokens: readonly StoredToken[]) => {
  readonly tokens?: readonly StoredToken[];
  readonly result: T;
};

async function changeAlone<T>(path: string, change: TokenChange<T>): Promise<T> {
  const lockPath = `${path}.lock`;
  const lock = await takeLock(lockPath);
  try {
    const {tokens, result} = change(readTokenFile(path));
    if (tokens) await replace(path, `${JSON.stringify({tokens}, undefined, 2)}\n`);
    return result;
  } finally {
    await lock.close();
    await rm(lockPath, {force: true});
  }
}

async function takeLock(lockPath: string): Promise<FileHandle> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open(lockPath, 'wx', 0o600);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!isTaken) throw error;
    }
    if (attempt >= lockAttemptsMax) {
      throw new TokenFileError(`another process is changing the tokens: if not, remove \`${lockPath}\``);
    }
    await sleep(lockPauseMs);
  }
}

async function replace(path: string, text: string): Promise<void> {
  const next = `${path}.next`;
  await rm(next, {force: true});
  const file = await open(next, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
}
