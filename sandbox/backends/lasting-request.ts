// What a call says of a program that lasts longer than one call: which calls share it, and until when.
import type {Enforcement, ToolOutput} from '@lumenflow/schemas';

/** What a receipt says of the program that served its call. */
export type ServerRecord = NonNullable<Enforcement['server']>;

/** What programs end with, such as one session. */
export interface Span {
  readonly lifetime: ServerRecord['lifetime'];
  readonly id: string;
}

export interface LastingRequest {
  readonly span: Span;
  /** Identifies the bytes of the program. */
  readonly programHash: string;
  /** The sandbox ends after this time without a call. */
  readonly idleMs: number;
  /** Whether the program can serve another call after this output. */
  survives(output: ToolOutput): boolean;
}
