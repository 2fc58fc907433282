// Machines that have booted, kept for later hosts of this user: a machine that continues from one need not boot. Each is made when a
// machine of its size is needed for the first time.
import {createHash} from 'node:crypto';
import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import type {Launched} from '../bubblewrap/launch.ts';
import {ownCache} from '../cache/own-cache.ts';
import type {MachineBoot, RestoredMachine} from './hypervisor.ts';
import {saveMachine, type SavedFrom} from './save-machine.ts';

export interface SavedMachine extends RestoredMachine {
  /** Absolute. */
  readonly path: string;
}

export class SavedMachines {
  readonly #key: readonly string[];
  readonly #made = new Map<string, Promise<boolean>>();

  /** `key`: what a saved machine depends on besides its boot. */
  constructor(key: readonly string[]) {
    this.#key = key;
  }

  /** Undefined if machines cannot be saved here: then each of them boots. */
  async find(boot: MachineBoot, launch: (from: SavedFrom) => Promise<Launched>): Promise<SavedMachine | undefined> {
    const cache = ownCache();
    if (!cache.ok) return undefined;
    const {system, memoryBytes, processors, enterNetwork} = boot;
    const hasNetwork = enterNetwork !== undefined;
    const key = JSON.stringify([...this.#key, ...Object.values(system), memoryBytes, processors, hasNetwork]);
    const path = join(cache.value, `machine-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`);
    if (!existsSync(path) && !(await this.#make(path, launch))) return undefined;
    return {
      path,
      discard: () => {
        rmSync(path, {force: true});
        this.#made.set(path, Promise.resolve(false));
      },
    };
  }
  /** Once at a time, and not again after a failure. */
  async #make(path: string, launch: (from: SavedFrom) => Promise<Launched>): Promise<boolean> {
    const save = async (): Promise<boolean> => {
      try {
        await saveMachine(path, launch);
        this.#made.delete(path);
        return true;
      } catch {
        return false;
      }
    };
    const made = this.#made.get(path) ?? save();
    this.#made.set(path, made);
    return await made;
  }
}
