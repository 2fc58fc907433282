// What the inspection after a direct call needs, written to disk before the call writes: if the host dies, the next one inspects.
// It counts only with the MAC of this user's key, since a cloned repository could contain such a file.
import {createHmac, timingSafeEqual} from 'node:crypto';
import {lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {WatchedPath} from '../profile/profile-input.ts';

export interface UnfinishedLook {
  readonly receiptId: string;
  readonly tool: string;
  /** Patterns of the call's grant. */
  readonly write: readonly string[];
  readonly denyOverlays: readonly string[];
  readonly trustedPaths: readonly string[];
  /** Absolute, as all paths here. */
  readonly guarded: readonly string[];
  readonly watched: readonly WatchedPath[];
  readonly obeyed: readonly string[];
}

export const looksFolder = '.lumenflow/direct-calls';
const bytesMax = 64 * 1024 * 1024;
const header = 'lumenflow-look 1 ';
/** `<process id>~<receipt id>`: other names in the folder are not ours. */
const namePattern = /^([0-9a-f]+(?:\.\d+){3}\.[0-9a-f]+)~([\w-]{1,80})$/;

export interface LookName {
  readonly name: string;
  readonly processId: string;
}

export function lookName(processId: string, receiptId: string): string {
  return `${processId}~${receiptId}`;
}

/** No sync: a power cut that loses this loses the call's writes too. */
export function writeLook(root: string, key: Buffer, name: string, look: UnfinishedLook): void {
  mkdirSync(join(root, looksFolder), {recursive: true, mode: 0o700});
  const body = JSON.stringify({root, ...look});
  writeFileSync(join(root, looksFolder, name), `${header}${macOf(body, name, key)}\n${body}`, {
    mode: 0o600,
  });
}

export function removeLook(root: string, name: string): void {
  rmSync(join(root, looksFolder, name), {force: true});
}

export function looksIn(root: string): readonly LookName[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(join(root, looksFolder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return names.flatMap((name) => {
    const [, processId] = namePattern.exec(name) ?? [];
    return processId === undefined ? [] : [{name, processId}];
  });
}

/** Undefined if this user's host did not write it for this workspace. */
export function readLook(root: string, key: Buffer, name: string): UnfinishedLook | undefined {
  const path = join(root, looksFolder, name);
  const stats = lstatSync(path);
  if (!stats.isFile() || stats.size > bytesMax) return undefined;
  const text = readFileSync(path, 'utf8');
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end === -1 || !text.startsWith(header)) return undefined;
  const mac = Buffer.from(text.slice(header.length, end));
  const right = Buffer.from(macOf(body, name, key));
  if (mac.length !== right.length || !timingSafeEqual(mac, right)) return undefined;
  const {root: writtenFor, ...look} = JSON.parse(body) as UnfinishedLook & {readonly root: string};
  return writtenFor === root && isLook(look, root) ? look : undefined;
}

function macOf(body: string, name: string, key: Buffer): string {
  return createHmac('sha256', key).update(header).update(name).update('\n').update(body).digest('hex');
}

/** The MAC proves the author; this check proves that this version wrote it. */
function isLook(look: UnfinishedLook, root: string): boolean {
  const texts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
  const within = (path: unknown): boolean => typeof path === 'string' && path.startsWith(`${root}/`);
  const {guarded, watched, obeyed, write, denyOverlays, trustedPaths} = look;
  return (
    [look.receiptId, look.tool].every((value) => typeof value === 'string') &&
    [write, denyOverlays, trustedPaths, guarded, obeyed].every(texts) &&
    [...guarded, ...obeyed].every(within) &&
    Array.isArray(watched) &&
    watched.every(({path, link}) => within(path) && (link === undefined || typeof link === 'string'))
  );
}
