// What became of the newest submission to each witness: a file for each of them and each log in `index/witnesses`, replaced as a whole. It can be
// deleted at any time.
import {randomBytes} from 'node:crypto';
import {mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {LogName} from '../log/log-name.ts';

/**
 * `unreachable`: no answer, or one of another server. `rejected`: the witness does not know the log or its key. `rewritten` and
 * `rolled_back`: it cosigned another history, or a longer one.
 */
export type WitnessProblemKind = 'unreachable' | 'rejected' | 'rewritten' | 'rolled_back';

export interface WitnessProblem {
  readonly kind: WitnessProblemKind;
  readonly message: string;
  /** ISO 8601. */
  readonly since: string;
}

export interface WitnessReport {
  /** Of the newest answer, or of the newest failure; ISO 8601. */
  readonly at: string;
  /** Lines of the log that the witness has cosigned. */
  readonly cosigned: number;
  readonly problem?: WitnessProblem;
}

const kinds: readonly unknown[] = [
  'unreachable',
  'rejected',
  'rewritten',
  'rolled_back',
] satisfies WitnessProblemKind[];

export class WitnessReports {
  readonly #path: (keyId: string) => string;

  /** `stateFolder` is `.lumenflow/kernel` or a copy of it. */
  constructor(stateFolder: string, log: LogName) {
    this.#path = (keyId) => join(stateFolder, 'index', 'witnesses', `${log}.${keyId}.json`);
  }

  /** Undefined if there is none, or a damaged one. */
  read(keyId: string): WitnessReport | undefined {
    try {
      const report = JSON.parse(readFileSync(this.#path(keyId), 'utf8')) as Partial<WitnessReport> | null;
      const {at, cosigned, problem} = report ?? {};
      if (typeof at !== 'string' || typeof cosigned !== 'number') return undefined;
      if (problem !== undefined && !(kinds.includes(problem.kind) && typeof problem.message === 'string'))
        return undefined;
      return {at, cosigned, ...(problem && {problem})};
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  write(keyId: string, report: WitnessReport): void {
    const path = this.#path(keyId);
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
    try {
      writeFileSync(temporary, `${JSON.stringify(report)}\n`, {mode: 0o600});
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, {force: true});
      throw error;
    }
  }
}
