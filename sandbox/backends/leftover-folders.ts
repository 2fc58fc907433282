// Folders that a host makes for itself among the machine's temporary files. Their names say which process made them, so that
// another host can remove those of one that was killed.
import {readlinkSync} from 'node:fs';
import {lstat, mkdtemp, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {errorCode} from '../error-code.ts';

/** Only letters and hyphens, such as `lumenflow-call`. */
export async function makeOwnedFolder(parent: string, kind: string): Promise<string> {
  return await mkdtemp(join(parent, `${kind}-${thisProcess()}-`));
}

/**
 * Removes folders of this user whose process has ended, each after `release`. Never rejects: a later call retries what cannot be
 * removed now.
 */
export async function reapOwnedFolders(
  parent: string,
  kind: string,
  release?: (folder: string) => Promise<void>,
): Promise<void> {
  const owned = new RegExp(`^${kind}-${pidNamespace()}-(\\d+)-`);
  const names = await readdir(parent).catch((): string[] => []);
  await Promise.all(
    names.map(async (name) => {
      const owner = owned.exec(name)?.[1];
      if (owner !== undefined && !isAlive(Number(owner))) await removeOwn(join(parent, name), release);
    }),
  );
}

async function removeOwn(path: string, release?: (folder: string) => Promise<void>): Promise<void> {
  try {
    const entry = await lstat(path);
    const isOurs = entry.isDirectory() && entry.uid === process.geteuid?.();
    if (!isOurs) return;
    await release?.(path);
    await rm(path, {recursive: true, force: true});
  } catch {
    // Another host removed it first, or it contains a file of another user.
  }
}

/** Names this process among those of the machine. */
export function thisProcess(): string {
  return `${pidNamespace()}-${process.pid}`;
}

/** Whether `name`, of `thisProcess`, names one that has ended. False for one of another namespace, which cannot be seen. */
export function hasEnded(name: string): boolean {
  const [namespace, pid] = name.split('-');
  return namespace === pidNamespace() && /^\d+$/.test(pid ?? '') && !isAlive(Number(pid));
}

/** In another namespace, the number identifies another process; its folders may be here too. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    // Not Linux: one namespace for all.
    return '0';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return errorCode(error) !== 'ESRCH';
  }
}
