// The private keys of a host or a worker, one file each, numbered in the order in which they were made. There are two during a
// rotation: the others learn the new one while the old one is still valid.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {randomBytes} from 'node:crypto';
import {closeSync, fstatSync, openSync, readdirSync, readFileSync} from 'node:fs';
import {chmod, link, mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {makeNamedKey, readNamedKey, type NamedKey} from './named-key.ts';

export interface KeyProblem {
  readonly message: string;
  readonly help: string;
}

/** A private key and its id, `name+id`. */
export interface OwnKey extends NamedKey {
  readonly id: string;
  readonly file: string;
}

const keyFile = /^([1-9][0-9]{0,8})\.key$/u;

/** The oldest first; none if the folder is missing. Keys that other users can read are refused. */
export function readKeys(folder: string): Outcome<readonly OwnKey[], KeyProblem> {
  const keys: OwnKey[] = [];
  for (const number of numbersIn(folder)) {
    const file = join(folder, `${number}.key`);
    const found = readIfThere(file);
    // Another process has just removed it.
    if (found === undefined) continue;
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
      const message = `\`${file}\` is a private key that other users can read or write`;
      return failed({message, help: `run \`chmod 600 ${file}\`, and replace the key if another user may have read it`});
    }
    const key = readNamedKey(found.text);
    if (key === undefined) {
      return failed({message: `\`${file}\` is not a private key`, help: 'restore the file, or remove it'});
    }
    keys.push({...key, id: key.verifierKey.split('+', 2).join('+'), file});
  }
  return ok(keys);
}

/** The keys, of which there is at least one: of processes that start at once, one makes it and all use it. */
export async function ensureKeys(folder: string, name: string): Promise<Outcome<readonly OwnKey[], KeyProblem>> {
  const found = readKeys(folder);
  if (!found.ok || found.value.length > 0) return found;
  await makeKey(folder, {name, number: 1});
  return readKeys(folder);
}

/** Adds a key to those that are there. */
export async function addKey(folder: string, name: string): Promise<Outcome<readonly OwnKey[], KeyProblem>> {
  const newest = numbersIn(folder).at(-1) ?? 0;
  await makeKey(folder, {name, number: newest + 1});
  return readKeys(folder);
}

/** Removes a key that is not the last one. */
export async function removeKey(folder: string, id: string): Promise<Outcome<readonly OwnKey[], KeyProblem>> {
  const found = readKeys(folder);
  if (!found.ok) return found;
  const removed = found.value.find((key) => key.id === id);
  const ids = found.value.map((key) => `\`${key.id}\``).join(', ');
  if (removed === undefined) return failed({message: `there is no key \`${id}\``, help: `name one of these: ${ids}`});
  if (found.value.length === 1) {
    return failed({message: `\`${id}\` is the only key`, help: 'add its successor first, with `--new`'});
  }
  await rm(removed.file, {force: true});
  return ok(found.value.filter((key) => key !== removed));
}

function readIfThere(file: string): {readonly mode: number; readonly text: string} | undefined {
  try {
    const fd = openSync(file, 'r');
    try {
      return {mode: fstatSync(fd).mode, text: readFileSync(fd, 'utf8')};
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function numbersIn(folder: string): readonly number[] {
  return namesIn(folder)
    .flatMap((name) => keyFile.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Whole from the moment it is seen; the first of several processes wins. */
async function makeKey(
  folder: string,
  {name, number}: {readonly name: string; readonly number: number},
): Promise<void> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  await chmod(folder, 0o700);
  const staging = join(folder, `.new.${randomBytes(6).toString('hex')}`);
  await writeFile(staging, makeNamedKey(name).text, {mode: 0o600, flag: 'wx', flush: true});
  try {
    await link(staging, join(folder, `${number}.key`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(staging);
  }
}
