// What the host and a thread of QuickJS send each other. The thread serves one run at a time.
import type {ToolFailure} from '@lumenflow/schemas';

export interface EngineRun {
  /** JavaScript: the body of an async function. */
  readonly code: string;
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly wallMs: number;
}

/** What the code printed, as far as it fits the limit. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

/** `value`: JSON. */
export type EngineEnd = Printed & ({readonly value: string} | {readonly failure: ToolFailure});

export type ToThread =
  | {readonly kind: 'run'; readonly run: EngineRun}
  /** `answer`: JSON. */
  | {readonly kind: 'reply'; readonly run: number; readonly id: number; readonly answer: string};

export type FromThread =
  | {readonly kind: 'ready'}
  /** `args`: a list as JSON. */
  | {
      readonly kind: 'request';
      readonly run: number;
      readonly id: number;
      readonly operation: string;
      readonly args: string;
    }
  | {readonly kind: 'end'; readonly end: EngineEnd};
