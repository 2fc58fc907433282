// What an empty state needs to take over the records of another one, unchanged.
import type {LogName} from '../log/log-name.ts';

export interface StateImport {
  /** Where it is, for people. */
  readonly location: string;
  /** Lines without newlines, in order; each log is filled by one caller. */
  append(log: LogName, lines: readonly string[]): Promise<void>;
  /** A content under the ref by which records name it. */
  putContent(ref: string, text: string): Promise<void>;
  /** A content that was redacted: its ref must not be used again. */
  putShredded(ref: string, hash: string): Promise<void>;
  putSpec(taskId: string, amendedHash: string | undefined, text: string): Promise<void>;
  keepCheckpoint(log: LogName, size: number, note: string): Promise<void>;
  /** Everything becomes visible at once. */
  finish(): Promise<void>;
  /** Nothing of it remains. */
  abandon(): Promise<void>;
}
