// A state on files that takes over the records of another one. It is built beside the final folder, and renamed when it is whole.
import {KernelError} from '@lumenflow/kernel';
import {existsSync} from 'node:fs';
import {appendFile, mkdir, open, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {packHeader, parseBlobRef} from '../blobs/blob-ref.ts';
import {segmentPath} from '../log/segment-files.ts';
import {createNoteFiles} from '../signed-log/note-files.ts';
import {sha256Hex} from '../system/sha256.ts';
import {specFileName} from '../tasks/file-task-store.ts';
import type {LogName} from '../log/log-name.ts';
import type {StateImport} from './state-import.ts';

const folders: Readonly<Record<LogName, string>> = {events: 'events', traces: join('evidence', 'traces')};
const privately = {recursive: true, mode: 0o700} as const;

/** Rejects with KernelError LOAD_FAILED if the folder has records. `stateFolder`: absolute path of `.lumenflow/kernel`. */
export async function importToFiles(stateFolder: string): Promise<StateImport> {
  if (existsSync(join(stateFolder, 'events')) && (await readdir(join(stateFolder, 'events'))).length > 0) {
    throw new KernelError('LOAD_FAILED', `\`${stateFolder}\` already has records: move it away first`);
  }
  const building = `${stateFolder}.new`;
  await rm(building, {recursive: true, force: true});
  for (const name of [...Object.values(folders), join('evidence', 'inputs'), 'tasks']) {
    await mkdir(join(building, name), privately);
  }
  const inputs = join(building, 'evidence', 'inputs');
  const notes = {
    events: createNoteFiles(join(building, 'evidence', 'tree', 'events')),
    traces: createNoteFiles(join(building, 'evidence', 'tree', 'traces')),
  };
  return {
    location: stateFolder,
    async append(log, lines) {
      if (lines.length === 0) return;
      const text = lines.map((line) => `${line}\n`).join('');
      await appendFile(segmentPath(join(building, folders[log]), 1), text, {mode: 0o600});
    },
    putContent: (ref, text) => putAt(inputs, ref, sha256Hex(text), Buffer.from(text)),
    putShredded: (ref, hash) => putAt(inputs, ref, hash),
    putSpec: (taskId, amendedHash, text) =>
      writeFile(join(building, 'tasks', specFileName(taskId, amendedHash)), text, {mode: 0o600}),
    keepCheckpoint: (log, size, note) => notes[log].keep(size, note),
    async finish() {
      await syncTree(building);
      await rm(stateFolder, {recursive: true, force: true});
      await rename(building, stateFolder);
      await syncTree(dirname(stateFolder), false);
    },
    abandon: () => rm(building, {recursive: true, force: true}),
  };
}

/** Where its ref says: a file of its own, or a range of a pack. Undefined bytes: one that was shredded leaves zeros. */
async function putAt(folder: string, ref: string, hash: string, bytes?: Buffer): Promise<void> {
  const at = parseBlobRef(ref);
  if (at === undefined) throw new KernelError('LOG_CORRUPT', `\`${ref}\` is not a reference to a content`);
  if (at.kind === 'file') return await writeFile(join(folder, at.hash), bytes ?? Buffer.alloc(1), {mode: 0o600});
  const header = Buffer.from(packHeader(hash, at.length));
  const path = join(folder, at.pack);
  const file = await open(path, existsSync(path) ? 'r+' : 'w+', 0o600);
  try {
    const frame = Buffer.concat([header, bytes ?? Buffer.alloc(at.length), Buffer.from('\n')]);
    await file.write(frame, 0, frame.length, at.offset - header.length);
  } finally {
    await file.close();
  }
}

async function syncTree(path: string, deep = true): Promise<void> {
  const entries = deep ? await readdir(path, {withFileTypes: true}) : [];
  for (const entry of entries) {
    if (entry.isDirectory()) await syncTree(join(path, entry.name));
    else await syncPath(join(path, entry.name));
  }
  await syncPath(path);
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
