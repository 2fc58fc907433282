// What the signed log needs of witnesses, and what they need of the log.
import type {WitnessAnswer} from '@lumenflow/kernel';
import type {LogName} from '../log/log-name.ts';

/** The newest checkpoint of a log, and the proof that it continues the first `from` lines. */
export interface LogHead {
  readonly size: number;
  readonly note: string;
  /** Undefined if the checkpoint covers fewer than `from` lines. */
  readonly path: readonly Uint8Array[] | undefined;
}

/** Undefined if nothing is signed. `rebuild`: hashes of the tree are computed again, from the log. */
export type HeadOf = (log: LogName, from: number, rebuild: boolean) => Promise<LogHead | undefined>;

/** Witnesses that cosign the checkpoints of both logs. */
export interface LogWitnesses {
  /** There may be a new checkpoint. Returns at once. */
  notice(): void;
  /** Submits the newest checkpoints now, and waits for each witness, at most 10 seconds for each answer. */
  submit(): Promise<readonly WitnessAnswer[]>;
  /** A checkpoint of a log with the cosignatures that it has. */
  complete(log: LogName, size: number, note: string): Promise<string>;
  close(): Promise<void>;
}
