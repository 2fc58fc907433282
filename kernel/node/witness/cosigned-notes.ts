// Checkpoints as witnesses cosigned them: a file for each checkpoint and witness, written once, in `evidence/cosigned`. Each of them is a
// whole signed note, so that it can be verified without the log.
import {mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {LogName} from '../log/log-name.ts';
import {createFile} from '../system/create-file.ts';
import type {CosignatureId, SharedCosignatures} from './shared-cosignatures.ts';

const pattern = /^([0-9]{16})\.([0-9a-f]{8})\.note$/u;

export interface CosignedNote extends CosignatureId {
  readonly path: string;
}

/** `stateFolder` is `.lumenflow/kernel` or a copy of it. With `shared`, the files are copies of what all hosts have. */
export class CosignedNotes {
  readonly #folder: string;
  readonly #log: LogName;
  readonly #shared: SharedCosignatures | undefined;

  constructor(stateFolder: string, log: LogName, shared?: SharedCosignatures) {
    this.#folder = join(stateFolder, 'evidence', 'cosigned', log);
    this.#log = log;
    this.#shared = shared;
  }

  /** Copies what only other hosts have, and shares what only this host has. */
  async sync(): Promise<void> {
    if (this.#shared === undefined) return;
    const here = this.list();
    const there = await this.#shared.ids(this.#log);
    const [known, shared] = [new Set(here.map(nameOf)), new Set(there.map(nameOf))];
    for (const id of there) {
      const note = known.has(nameOf(id)) ? undefined : await this.#shared.read(this.#log, id);
      if (note !== undefined) await this.#write(id, note);
    }
    for (const note of here) {
      if (!shared.has(nameOf(note))) await this.#shared.keep(this.#log, note, this.read(note));
    }
  }

  /** All, in order of their sizes. */
  list(): readonly CosignedNote[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.#folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    return names.toSorted().flatMap((name) => {
      const [, size, keyId] = pattern.exec(name) ?? [];
      return size === undefined || keyId === undefined
        ? []
        : [{size: Number(size), keyId, path: join(this.#folder, name)}];
    });
  }

  /** The largest size that a witness cosigned; 0 if there is none. */
  newest(keyId: string): number {
    return this.list().findLast((note) => note.keyId === keyId)?.size ?? 0;
  }

  /** Whether a witness cosigned this checkpoint, and not another one of its size. */
  has(size: number, keyId: string, note: string): boolean {
    const stored = this.list().find((each) => each.size === size && each.keyId === keyId);
    return stored !== undefined && this.read(stored).startsWith(note.slice(0, note.lastIndexOf('\n\n') + 2));
  }

  read({path}: CosignedNote): string {
    return readFileSync(path, 'utf8');
  }

  /** Does nothing if there is one of this size by this witness. */
  async keep(size: number, keyId: string, note: string): Promise<void> {
    await this.#shared?.keep(this.#log, {size, keyId}, note);
    await this.#write({size, keyId}, note);
  }

  /** A checkpoint with the cosignature lines that were stored for its size, by any witness. */
  complete(size: number, note: string): string {
    const start = note.lastIndexOf('\n\n') + 2;
    const known = new Set(note.slice(start).split('\n'));
    const text = note.slice(0, start);
    const added = this.list().flatMap((stored) => {
      if (stored.size !== size) return [];
      const cosigned = this.read(stored);
      return cosigned.startsWith(text)
        ? cosigned
            .slice(start)
            .split('\n')
            .filter((line) => !known.has(line))
        : [];
    });
    return `${note}${[...new Set(added)].map((line) => `${line}\n`).join('')}`;
  }

  async #write(id: CosignatureId, note: string): Promise<void> {
    mkdirSync(this.#folder, {recursive: true, mode: 0o700});
    await createFile(join(this.#folder, nameOf(id)), note);
  }
}

function nameOf({size, keyId}: CosignatureId): string {
  return `${String(size).padStart(16, '0')}.${keyId}.note`;
}
