// The jail of one machine: a folder with its files and its sockets, which becomes the root directory of Firecracker, and a user
// that nothing else runs as. The folder names the host that made it, so that another host can end what a killed one left.
import {randomInt} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {chmod, chown, link, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {makeOwnedFolder, reapOwnedFolders} from '../backends/leftover-folders.ts';

export interface Jail {
  /** Its root directory, absolute on the host. */
  readonly root: string;
  readonly uid: number;
  /** Options of the jailer. */
  readonly options: readonly string[];
  remove(): Promise<void>;
}

const kind = 'lumenflow-jail';
/** Of a machine among those of its folder, which has no other. */
const id = 'vm';
/** The name of the file with its user. */
const uidFile = 'uid';
/** Above the users of accounts, containers and service managers. */
const firstUid = 0x70000000;

/** `files`: absolute paths by their names in the jail, on the file system of temporary files. */
export async function openJail(programPath: string, files: Readonly<Record<string, string>>): Promise<Jail> {
  const uid = firstUid + randomInt(2 ** 24);
  const folder = await makeOwnedFolder(tmpdir(), kind);
  await writeFile(join(folder, uidFile), String(uid));
  const root = join(folder, basename(programPath), id, 'root');
  await mkdir(root, {recursive: true, mode: 0o700});
  for (const [name, path] of Object.entries(files)) {
    await link(path, join(root, name));
    // Only root reaches the folder that it is kept in.
    await chmod(path, 0o444);
  }
  await chown(root, uid, uid);
  return {
    root,
    uid,
    options: [
      ['--id', id],
      ['--exec-file', programPath],
      ['--uid', String(uid)],
      ['--gid', String(uid)],
      ['--chroot-base-dir', folder],
    ].flat(),
    remove: async () => await rm(folder, {recursive: true, force: true}),
  };
}

/** Ends the machines of killed hosts, and removes their jails. Never rejects. */
export async function reapJails(): Promise<void> {
  await reapOwnedFolders(tmpdir(), kind, async (folder) => {
    const uid = await readFile(join(folder, uidFile), 'latin1');
    for (const name of readdirSync('/proc')) {
      // Each is killed as soon as it was found: a number can be used again.
      if (/^\d+$/.test(name) && uidOf(name) === uid) process.kill(Number(name), 'SIGKILL');
    }
  });
}

function uidOf(pid: string): string | undefined {
  try {
    return /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  } catch {
    // It has ended.
    return undefined;
  }
}
