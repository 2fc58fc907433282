// The times of directories and symlinks, kept beside changes that wait: they are applied like those of a call. A directory in
// which somebody has worked since keeps the time of that work.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {undefinedIfMissing} from '../files/undefined-if-missing.ts';
import type {KeptTimes} from './kept-times.ts';
import {lookWithin} from './look-within.ts';

/** [path, time after, time before], in nanoseconds since the epoch, decimal; without the last for what is created. */
type KeptTime = readonly [path: string, after: string, before?: string];

const fileName = 'times.json';
const nanoseconds = /^-?\d{1,19}$/;

export async function writeParkedTimes(folder: string, root: string, times: KeptTimes): Promise<void> {
  const look = lookWithin(root);
  const kept = [...times].map(([path, time]): KeptTime => {
    const before = look(path)?.mtimeNs;
    return before === undefined ? [path, String(time)] : [path, String(time), String(before)];
  });
  await writeFile(join(folder, fileName), JSON.stringify(kept), {flag: 'wx', mode: 0o600});
}

/** Those that still apply, before anything is changed. Times alone do not justify a rejection: unreadable times are ignored. */
export async function readParkedTimes(folder: string, root: string): Promise<KeptTimes> {
  const text = await undefinedIfMissing(readFile(join(folder, fileName), 'utf8'));
  const look = lookWithin(root);
  const still = parsed(text).filter(([path, , before]) => String(look(path)?.mtimeNs) === String(before));
  return new Map(still.map(([path, after]) => [path, BigInt(after)]));
}

function parsed(text: string | undefined): readonly KeptTime[] {
  try {
    const times: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(times) ? times.filter(isKeptTime) : [];
  } catch {
    return [];
  }
}

function isKeptTime(value: unknown): value is KeptTime {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return false;
  const [path, ...times] = value as unknown[];
  return typeof path === 'string' && times.every((time) => typeof time === 'string' && nanoseconds.test(time));
}
