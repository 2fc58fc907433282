// Evaluates expressions in a separate process, because CEL has no bound for time and memory: nested `map` over long lists, or a
// regular expression that backtracks. A process that exceeds its bounds ends, and the next expression starts another one.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import type {ExpressionAnswer, ExpressionFault, ExpressionQuestion} from './expression-wire.ts';
import {
  startExpressionProcess,
  type EvaluatorLimits,
  type ExpressionProcess,
  type NoAnswer,
} from './start-expression-process.ts';

export interface Evaluator {
  /** Values in the order of the sources. Fails with EXPRESSION_FAILED, or with LIMIT_EXCEEDED beyond the bounds. */
  evaluate(question: ExpressionQuestion): Promise<Outcome<Evaluated, ToolFailure>>;
  close(): Promise<void>;
}

export interface Evaluated {
  readonly value: readonly unknown[];
  /** As JSON. */
  readonly bytes: number;
}

const limitsOfPrograms: EvaluatorLimits = {timeMs: 2_000, heapMb: 128, answerBytes: 10 * 1024 * 1024};

export function createEvaluator(limits: EvaluatorLimits = limitsOfPrograms): Evaluator {
  let starting: Promise<ExpressionProcess> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function ask(question: ExpressionQuestion): Promise<Outcome<Evaluated, ToolFailure>> {
    starting ??= startExpressionProcess(limits);
    const asked = await (await starting).ask(question);
    if ('answer' in asked) return outcomeOf(asked.answer, limits);
    starting = undefined;
    return failed(beyond(asked.lost));
  }

  return {
    evaluate(question) {
      const next = last.then(() => ask(question));
      last = next;
      return next;
    },
    async close() {
      await last;
      await (await starting)?.end();
    },
  };
}

function outcomeOf(answer: ExpressionAnswer, {answerBytes}: EvaluatorLimits): Outcome<Evaluated, ToolFailure> {
  if (answer.ok) return ok(answer);
  const {problem} = answer;
  if ('source' in problem) return failed(failureOf(problem));
  const message = `the value of an expression is ${problem.bytes} bytes as JSON: the limit is ${answerBytes}`;
  return failed({code: 'LIMIT_EXCEEDED', message, details: {limit: 'value_bytes', value_bytes: answerBytes}});
}

function failureOf({message, source, offset}: ExpressionFault): ToolFailure {
  return {
    code: 'EXPRESSION_FAILED',
    message: `\`${source}\`: ${message}`,
    details: {expression: source, ...(offset !== undefined && {offset})},
  };
}

function beyond({reason, message}: NoAnswer): ToolFailure {
  return {code: 'LIMIT_EXCEEDED', message, details: {limit: reason === 'time' ? 'time_ms' : 'heap_mb'}};
}
