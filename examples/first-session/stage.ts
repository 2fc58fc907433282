// What the acts share: sessions, timed and reported calls, and copies to tamper with.
import type {Host, Session} from '@lumenflow/host';
import type {Narrator, Step} from './narrator.ts';

export type CallOutput = Awaited<ReturnType<Session['call']>>;

export interface CallExpectation {
  readonly title: string;
  /** `success`, or the expected error code. */
  readonly expect: string;
  readonly outcome: Step['outcome'];
  /** A dry run: reports the changes without applying them. */
  readonly dry_run?: true;
  lines(output: CallOutput): readonly string[];
  /** Checks the output beyond its code. */
  check?(output: CallOutput): boolean;
}

export interface Stage {
  readonly host: Host;
  readonly steps: readonly Step[];
  act(title: string): void;
  /** Makes the call, reports it, and returns its output. */
  call(session: Session, tool: string, input: unknown, expectation: CallExpectation): Promise<CallOutput>;
  /** Reports a step other than a call. */
  report(step: Omit<Step, 'ms'>, startedMs: number): void;
}

export interface StageOptions {
  readonly host: Host;
  readonly narrator: Narrator;
  readonly signal: AbortSignal;
}

export function createStage({host, narrator, signal}: StageOptions): Stage {
  const steps: Step[] = [];
  const report = (step: Omit<Step, 'ms'>, ms: number): void => {
    const reported = {...step, ms};
    steps.push(reported);
    narrator.step(reported);
  };
  return {
    host,
    steps,
    report: (step, startedMs) => report(step, performance.now() - startedMs),
    act: (title) => narrator.act(title),
    async call(session, tool, input, expectation) {
      signal.throwIfAborted();
      const started = performance.now();
      const output = await session.call(tool, input, {signal, ...(expectation.dry_run && {dry_run: true})});
      // An interrupted call is not a step of the story.
      signal.throwIfAborted();
      const ms = performance.now() - started;
      const {title, outcome} = expectation;
      report({title, outcome, action: tool, ...(await whereItRan(host, output)), ...judge(expectation, output)}, ms);
      return output;
    },
  };
}

/** From the call's evidence. */
export async function whereItRan(host: Host, output: CallOutput): Promise<Pick<Step, 'ran' | 'receipt_id'>> {
  const receipt_id = output.metadata?.receipt_id;
  if (receipt_id === undefined) return {ran: 'not run'};
  const receipt = await host.runtime.evidence.receipt(receipt_id);
  const mode = receipt?.started.execution_mode ?? 'none';
  return {ran: mode === 'none' ? 'not run' : mode, receipt_id};
}

function judge({expect, lines, check}: CallExpectation, output: CallOutput): Pick<Step, 'lines' | 'as_expected'> {
  const {success, error} = output;
  if ((success ? 'success' : error?.code) === expect) {
    return {lines: lines(output), as_expected: check?.(output) ?? true};
  }
  const instead = success ? 'it succeeded' : `${error?.code}: ${error?.message}`;
  return {lines: [`expected ${expect}, but ${instead}`], as_expected: false};
}
