// One run of code, wherever it runs.
import type {DispatchOutcome} from '@lumenflow/kernel';
import type {CodeLimits, CodeRequest} from '@lumenflow/schemas';
import type {PositionOf} from './user-frames.ts';
import type {Gateway} from './gateway/gateway.ts';
import type {EngineEnd} from './quickjs/engine-messages.ts';

export interface CodeRun {
  /** In JavaScript if it was TypeScript. */
  readonly request: CodeRequest;
  /** Of TypeScript. */
  readonly positionOf: PositionOf | undefined;
  readonly limits: Required<CodeLimits>;
  readonly gateway: Gateway;
  readonly signal: AbortSignal | undefined;
}

export interface CodeEnd {
  readonly end: EngineEnd;
  readonly enforcement?: DispatchOutcome['enforcement'];
}
