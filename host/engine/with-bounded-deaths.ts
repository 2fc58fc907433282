// An attempt that ends its worker reports nothing, so the server would repeat it without end. A note beside the workspace's state counts
// such attempts in a row. The evidence bounds calls; this one is for what happens between them.
import type {EngineWork} from '@lumenflow/kernel/adapters';
import {createHash} from 'node:crypto';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

export interface DeathBound {
  /** Where the notes are; created when it is needed. */
  readonly folder: string;
  /** Maximum number of attempts in a row that end their worker; default 10. */
  readonly deathsMax?: number;
  /** The number of calls of the run that have ended. A worker that dies after further ones made progress. */
  callsOf(run_id: string): Promise<number>;
}

interface Note {
  readonly deaths: number;
  /** Absent in the note of a first attempt. */
  readonly calls?: number;
}

/** `advance` rejects with a final error instead of a further attempt, and counts from zero after that. */
export function withBoundedDeaths(work: EngineWork, {folder, deathsMax = 10, callsOf}: DeathBound): EngineWork {
  const begin = async (run_id: string, path: string): Promise<void> => {
    const before = await readNote(path);
    if (before === undefined) return await writeNote(path, {deaths: 0});
    const calls = await callsOf(run_id);
    const deaths = before.calls !== undefined && calls > before.calls ? 1 : before.deaths + 1;
    if (deaths < deathsMax) return await writeNote(path, {deaths, calls});
    await rm(path, {force: true});
    throw new WorkersEnded(deaths);
  };
  return {
    async advance(run_id, signal) {
      await mkdir(folder, {recursive: true});
      // A forged request at the server can name any run.
      const path = join(folder, createHash('sha256').update(run_id).digest('hex'));
      await begin(run_id, path);
      try {
        return await work.advance(run_id, signal);
      } finally {
        await rm(path, {force: true});
      }
    },
    read: async (run_id) => await work.read(run_id),
  };
}

class WorkersEnded extends Error {
  readonly is_final = true;

  constructor(deaths: number) {
    super(`workers ended during ${deaths} attempts in a row, and completed no call`);
  }
}

async function readNote(path: string): Promise<Note | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Note;
  } catch {
    // The worker died while it wrote the note.
    return {deaths: 0};
  }
}

async function writeNote(path: string, note: Note): Promise<void> {
  await writeFile(path, JSON.stringify(note));
}
