// The key that signs journals. It is stored outside all workspaces, so that neither a tool nor a cloned repository can write a
// journal that recovery would accept.
import {randomBytes, randomUUID} from 'node:crypto';
import {link, lstat, mkdir, open, readFile, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {SandboxError} from '../sandbox-error.ts';

const keyBytes = 32;
const name = 'journal.key';

/** Creates the key if it does not exist. Rejects if the folder is not writable, or if others could have written the key. */
export async function openJournalKey(stateFolder: string): Promise<Buffer> {
  const path = join(stateFolder, name);
  try {
    await mkdir(stateFolder, {recursive: true, mode: 0o700});
    if ((await lstat(path).catch(() => undefined)) === undefined) await makeKey(stateFolder, path);
  } catch (cause) {
    const message =
      `LumenFlow cannot store the key that signs journals in \`${stateFolder}\` (${String(cause)}): ` +
      'set XDG_STATE_HOME to a directory outside the workspace that this user can write to';
    throw new SandboxError('SYSTEM_REFUSED', message, {cause});
  }
  const stat = await lstat(path);
  const isOwn = process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
  const key = stat.isFile() && isOwn ? await readFile(path) : undefined;
  if (key?.length === keyBytes) return key;
  throw new SandboxError(
    'CONTENT_MISMATCH',
    `\`${path}\` is not a key that only this user can read: remove it, and LumenFlow creates a new one`,
  );
}

async function makeKey(stateFolder: string, path: string): Promise<void> {
  const made = join(stateFolder, `${name}.${randomUUID()}`);
  const handle = await open(made, 'wx', 0o600);
  try {
    await handle.writeFile(randomBytes(keyBytes));
    await handle.sync();
  } finally {
    await handle.close();
  }
  // If two processes create a key at once, the first one wins.
  await link(made, path).catch(unlessThere);
  await unlink(made);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
