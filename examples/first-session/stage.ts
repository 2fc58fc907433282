// What the acts of the story stand on: sessions, calls that are timed and told, and copies to tamper with.
import type {Host, Session} from '@lumenflow/host';
import type {Narrator, Step} from './narrator.ts';

export type CallOutput = Awaited<ReturnType<Session['call']>>;

export interface CallExpectation {
  readonly title: string;
  /** `success`, or the error code that the call shall end with. */
  readonly expect: string;
  readonly outcome: Step['outcome'];
  lines(output: CallOutput): readonly string[];
}

export interface Stage {
  readonly host: Host;
  readonly steps: readonly Step[];
  act(title: string): void;
  /** Makes the call, tells it, and gives its output. */
  call(session: Session, tool: string, input: unknown, expectation: CallExpectation): Promise<CallOutput>;
  /** Something else than a call. */
  tell(step: Omit<Step, 'ms'>, startedMs: number): void;
}

export interface StageOptions {
  readonly host: Host;
  readonly narrator: Narrator;
  readonly signal: AbortSignal;
}

export function createStage({host, narrator, signal}: StageOptions): Stage {
  const steps: Step[] = [];
  const tell = (step: Omit<Step, 'ms'>, startedMs: number): void => {
    const told = {...step, ms: performance.now() - startedMs};
    steps.push(told);
    narrator.step(told);
  };
  return {
    host,
    steps,
    tell,
    act: (title) => narrator.act(title),
    async call(session, tool, input, {title, expect, outcome, lines}) {
      signal.throwIfAborted();
      const started = performance.now();
      const output = await session.call(tool, input, {signal});
      const receiptId = output.metadata?.receipt_id;
      const receipt = receiptId === undefined ? undefined : await host.runtime.evidence.receipt(receiptId);
      const mode = receipt?.started.execution_mode ?? 'none';
      const asExpected = (output.success ? 'success' : output.error?.code) === expect;
      const unexpected = output.success ? 'it succeeded' : `${output.error?.code}: ${output.error?.message}`;
      tell(
        {
          title,
          action: tool,
          outcome,
          ran: mode === 'none' ? 'not run' : mode,
          ...(receiptId !== undefined && {receipt_id: receiptId}),
          lines: asExpected ? lines(output) : [`expected ${expect}, but ${unexpected}`],
          as_expected: asExpected,
        },
        started,
      );
      signal.throwIfAborted();
      return output;
    },
  };
}
