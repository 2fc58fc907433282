// The owner of the workspace's lock, recorded by files alone. `lock.<n>` is a symbolic link whose target names the owner of
// generation n, or `free`; the highest generation counts. A link is created together with its target, and not at all if the name
// exists. So of all contenders for generation n + 1 exactly one wins. A file that counts is never removed: a higher generation
// replaces a dead owner.
import {mkdirSync, readdirSync, readlinkSync, symlinkSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';

const free = 'free';
/**
 * Generations kept below the highest. A contender that looked too long ago finds its generation taken,
 * or after creating it sees one of the newer ones.
 */
const generationsKept = 32;

export interface LockView {
  readonly generation: number;
  /** Undefined when the generation is free, or there was none yet. */
  readonly owner: string | undefined;
  /** Process ids that wait for the lock. */
  readonly wanted: readonly string[];
}

export class LockFolder {
  readonly path: string;

  constructor(path: string) {
    mkdirSync(path, {recursive: true, mode: 0o700});
    this.path = path;
  }

  look(): LockView {
    for (;;) {
      const names = readdirSync(this.path);
      const generation = highest(names);
      const wanted = names.filter((name) => name.startsWith('want.')).map((name) => name.slice('want.'.length));
      if (generation === 0) return {generation, owner: undefined, wanted};
      const target = this.#target(generation);
      // The generation was replaced and removed while this process read it.
      if (target === undefined) continue;
      return {generation, owner: target === free ? undefined : target, wanted};
    }
  }

  /** Whether `owner` has the lock from now on, as this generation. */
  take(generation: number, owner: string): boolean {
    if (!this.#create(`lock.${generation}`, owner)) return false;
    const names = readdirSync(this.path);
    if (highest(names) !== generation) {
      this.#remove(`lock.${generation}`);
      return false;
    }
    for (const name of names) {
      const older = generationOf(name);
      if (older > 0 && older <= generation - generationsKept) this.#remove(name);
    }
    return true;
  }

  /** Ends an owned generation by creating the next one as free. */
  release(generation: number): void {
    this.#create(`lock.${generation + 1}`, free);
  }

  want(processId: string): void {
    this.#create(`want.${processId}`, free);
  }

  unwant(processId: string): void {
    this.#remove(`want.${processId}`);
  }

  #create(name: string, target: string): boolean {
    try {
      symlinkSync(target, join(this.path, name));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  #remove(name: string): void {
    try {
      unlinkSync(join(this.path, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  #target(generation: number): string | undefined {
    try {
      return readlinkSync(join(this.path, `lock.${generation}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

function highest(names: readonly string[]): number {
  return names.reduce((generation, name) => Math.max(generation, generationOf(name)), 0);
}

/** 0 for the name of anything else. */
function generationOf(name: string): number {
  return /^lock\.[1-9][0-9]{0,14}$/u.test(name) ? Number(name.slice('lock.'.length)) : 0;
}
