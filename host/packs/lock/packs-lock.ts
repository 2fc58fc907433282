// packs.lock, beside workspace.yaml: the resolved pins and the approved terms of tools. It is committed, so that every machine
// has the same packs and a review shows how their tools changed.
import {failed, ok, type Outcome, type Problem} from '@lumenflow/kernel';
import {parseYamlDocument} from '@lumenflow/kernel/node';
import type {LockedPack, PackPin, PacksLock} from '@lumenflow/schemas';
import {validatePacksLock} from '@lumenflow/schemas/validators';
import {randomBytes} from 'node:crypto';
import {readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {stringify} from 'yaml';
import {documentName} from '../../services/index.ts';
import {digestOf} from './tool-terms.ts';

export const lockFile = 'packs.lock';

export interface ReadLock {
  readonly packs: ReadonlyMap<string, LockedPack>;
  /** The resolved versions of pins that were just fetched, by id: not written yet. */
  readonly fetched?: ReadonlyMap<string, string>;
  /** If there are problems, no packs are returned: nothing may count as approved. */
  readonly problems: readonly Problem[];
  /** `packs.lock:line:column` of a JSON pointer. */
  locate(pointer: string): string;
}

export const noLock: ReadLock = {packs: new Map(), problems: [], locate: () => lockFile};

/** A missing file means no packs and no problems. */
export async function readLock(workspaceRoot: string): Promise<ReadLock> {
  const read = await readText(join(workspaceRoot, lockFile));
  if (!read.ok) return {...noLock, problems: [read.problem]};
  const text = read.value;
  if (text === undefined) return noLock;
  const source = {text, file: lockFile, validate: validatePacksLock, code: 'PACK_LOCK_INVALID', isGenerated: true};
  const document = parseYamlDocument(source);
  const locate = (pointer: string): string => document.locate(pointer);
  if (document.problems.length > 0) return {packs: new Map(), problems: document.problems, locate};
  const packs = entriesOf((document.value as PacksLock).packs);
  const problems = packs.flatMap(([id, pack]) => wrongDigests(id, pack, locate));
  return {packs: new Map(problems.length > 0 ? [] : packs), problems, locate};
}

/** For a map, as JSON Schema types it. */
export function entriesOf<T>(map: Readonly<Record<string, T | undefined>>): readonly (readonly [string, T])[] {
  return Object.entries(map).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
}

/** The same text for the same packs: `lumenflow pack install --frozen` compares texts. */
export function lockText(packs: ReadonlyMap<string, LockedPack>): string {
  const sorted = [...packs].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lock: PacksLock = {
    lock_version: 1,
    packs: Object.fromEntries(sorted.map(([id, {tools, ...origin}]) => [id, {...origin, tools}])),
  };
  const head = '# Written by `lumenflow pack install` and `lumenflow pack approve`: commit it.\n';
  return head + stringify(lock, {lineWidth: 120, aliasDuplicateObjects: false});
}

/** Writes a temporary file and renames it, so that no reader sees an incomplete lock. */
export async function writeLock(workspaceRoot: string, packs: ReadonlyMap<string, LockedPack>): Promise<void> {
  const file = join(workspaceRoot, lockFile);
  const staging = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(staging, lockText(packs), {flag: 'wx'});
    await rename(staging, file);
  } finally {
    await rm(staging, {force: true});
  }
}

/** The origin of a pin, as the lock names it. */
export function originOf(pin: PackPin): string {
  switch (pin.source) {
    case 'local':
      return pin.path ?? '';
    case 'npm':
      return pin.path ?? `${pin.package ?? ''}@${pin.version}`;
    case 'git':
      return `${pin.url ?? ''}#${pin.ref ?? ''}`;
    case 'mcp':
      return pin.url ?? (pin.command ?? []).join(' ');
    case 'openapi':
    case 'grpc':
      return documentName(pin);
    default:
      return pin.source satisfies never;
  }
}

export type LockedPacks = Pick<ReadLock, 'packs' | 'fetched'>;

/** The pin's pack in the lock; undefined when the lock has it from another origin. */
export function lockedPack(pin: PackPin, {packs}: LockedPacks): LockedPack | undefined {
  const entry = packs.get(pin.id);
  return entry?.source === pin.source && entry.from === originOf(pin) ? entry : undefined;
}

/** The version that a pin's origin resolved to when it was installed. */
export function resolvedOf(pin: PackPin, lock: LockedPacks): string | undefined {
  return lock.fetched?.get(pin.id) ?? lockedPack(pin, lock)?.resolved;
}

async function readText(file: string): Promise<Outcome<string | undefined>> {
  try {
    return ok(await readFile(file, 'utf8'));
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return ok(undefined);
    const message = `the file cannot be read: ${String(code)}`;
    return failed({code: 'PACK_LOCK_INVALID', severity: 'error', message, where: lockFile});
  }
}

/** No person approved terms that were edited by hand or merged from two branches. */
function wrongDigests(id: string, {tools}: LockedPack, locate: ReadLock['locate']): readonly Problem[] {
  return entriesOf(tools).flatMap(([name, {digest, terms}]): readonly Problem[] => {
    if (digestOf(terms) === digest) return [];
    const pointer = `/packs/${id}/tools/${name}/digest`;
    return [
      {
        code: 'PACK_LOCK_INVALID',
        severity: 'error',
        message: `the digest of \`${name}\` does not match its terms: the terms were edited or merged`,
        where: locate(pointer),
        pointer,
        help: `remove \`${name}\` here and run \`lumenflow pack approve ${id}\``,
      },
    ];
  });
}
