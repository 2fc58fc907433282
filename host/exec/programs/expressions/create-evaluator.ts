// Evaluates expressions in a separate thread, because CEL has no bound for time and memory: nested `map` over long lists, or a
// regular expression that backtracks. A thread that exceeds its bounds is ended, and the next expression starts another one.
import {failed, type Outcome} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import {once} from 'node:events';
import {Worker} from 'node:worker_threads';
import type {ExpressionAnswer, ExpressionFault, ExpressionQuestion} from './expression-wire.ts';

export interface Evaluator {
  /** Values in the order of the sources. Fails with EXPRESSION_FAILED, or with LIMIT_EXCEEDED beyond the bounds. */
  evaluate(question: ExpressionQuestion): Promise<Outcome<readonly unknown[], ToolFailure>>;
  close(): Promise<void>;
}

export interface EvaluatorLimits {
  readonly timeMs: number;
  readonly heapMb: number;
}

const limitsOfPrograms: EvaluatorLimits = {timeMs: 2_000, heapMb: 128};

/** Threads run built JavaScript, even when the host runs from its sources. */
const threadUrl = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../dist/exec/programs/expressions/expression-thread.js'
    : './expression-thread.js',
  import.meta.url,
);

interface ExpressionThread {
  readonly worker: Worker;
  /** Why it has ended, which can also happen after a question was abandoned. */
  problem: Error | undefined;
}

export function createEvaluator(limits: EvaluatorLimits = limitsOfPrograms): Evaluator {
  let starting: Promise<ExpressionThread> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function ask(question: ExpressionQuestion): Promise<Outcome<readonly unknown[], ToolFailure>> {
    starting ??= startThread(limits);
    const thread = await starting;
    const answer = await answerOf(thread, question, limits);
    if (answer.ok) return answer;
    if (!(answer.problem instanceof Error)) return failed(failureOf(answer.problem));
    starting = undefined;
    await thread.worker.terminate();
    return failed(beyond(answer.problem, limits));
  }

  return {
    evaluate(question) {
      const next = last.then(() => ask(question));
      last = next.catch(() => undefined);
      return next;
    },
    async close() {
      await last;
      await (await starting)?.worker.terminate();
    },
  };
}

async function startThread({heapMb}: EvaluatorLimits): Promise<ExpressionThread> {
  const worker = new Worker(threadUrl, {
    env: {},
    execArgv: [],
    resourceLimits: {maxOldGenerationSizeMb: heapMb, stackSizeMb: 4},
  });
  const thread: ExpressionThread = {worker, problem: undefined};
  // Loading the library takes longer than most expressions.
  await once(worker, 'message');
  worker.on('error', (error) => (thread.problem = error));
  worker.unref();
  return thread;
}

/** The problem is an Error if the thread must be ended. */
async function answerOf(
  {worker, problem}: ExpressionThread,
  question: ExpressionQuestion,
  {timeMs}: EvaluatorLimits,
): Promise<ExpressionAnswer | {readonly ok: false; readonly problem: Error}> {
  if (problem) return {ok: false, problem};
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), timeMs);
  worker.ref();
  try {
    const answering = once(worker, 'message', {signal: over.signal});
    worker.postMessage(question, []);
    const [answer] = (await answering) as [ExpressionAnswer];
    return answer;
  } catch (error) {
    return {ok: false, problem: error instanceof Error ? error : new Error(String(error))};
  } finally {
    clearTimeout(timer);
    worker.unref();
  }
}

function failureOf({message, source, offset}: ExpressionFault): ToolFailure {
  return {
    code: 'EXPRESSION_FAILED',
    message: `\`${source}\`: ${message}`,
    details: {expression: source, ...(offset !== undefined && {offset})},
  };
}

function beyond(problem: Error, {timeMs, heapMb}: EvaluatorLimits): ToolFailure {
  if (problem.name === 'AbortError') {
    return {
      code: 'LIMIT_EXCEEDED',
      message: `an expression took longer than ${timeMs} ms`,
      details: {limit: 'time_ms'},
    };
  }
  const message =
    'code' in problem && problem.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? `an expression needed more than ${heapMb} MiB`
      : `the thread of the expressions failed: ${problem.message}`;
  return {code: 'LIMIT_EXCEEDED', message, details: {limit: 'heap_mb'}};
}
