// Starts the process of expressions and asks it. A process and not a thread: V8 ends the whole process of a thread that needs memory
// faster than its limit is checked.
import {spawnWithChannel} from '@lumenflow/sandbox';
import {fileURLToPath} from 'node:url';
import type {ExpressionAnswer, ExpressionQuestion} from './expression-wire.ts';

export interface EvaluatorLimits {
  readonly timeMs: number;
  readonly heapMb: number;
  /** Of one answer as JSON. */
  readonly answerBytes: number;
}

/** Why there is no answer. */
export interface NoAnswer {
  readonly reason: 'time' | 'memory' | 'crash';
  readonly message: string;
}

export type Asked = {readonly answer: ExpressionAnswer} | {readonly lost: NoAnswer};

export interface ExpressionProcess {
  /** One question at a time. Without an answer, the process has ended. Never rejects. */
  ask(question: ExpressionQuestion): Promise<Asked>;
  end(): Promise<void>;
}

/** Processes run built JavaScript, even when the host runs from its sources. */
const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts')
      ? '../../../dist/exec/programs/expressions/expression-process.js'
      : './expression-process.js',
    import.meta.url,
  ),
);

/**
 * Bytes of CEL are outside of the heap that V8 limits. Node 24 itself reserves 560 MiB. A limit above the host's own would prevent
 * the start.
 */
const dataKib = 1536 * 1024;
const script = `(ulimit -d ${dataKib}) 2>/dev/null && ulimit -d ${dataKib}; ulimit -c 0; exec "$@"`;

export async function startExpressionProcess({
  timeMs,
  heapMb,
  answerBytes,
}: EvaluatorLimits): Promise<ExpressionProcess> {
  let settle: (asked: Asked) => void = () => undefined;
  let lost: NoAnswer | undefined;
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  const node = [process.execPath, `--max-old-space-size=${heapMb}`, program, String(process.pid), String(answerBytes)];
  const child = spawnWithChannel({
    command: 'sh',
    args: ['-c', script, 'sh', ...node],
    onMessage: (message) => (message === 'ready' ? isReady() : settle({answer: message as ExpressionAnswer})),
    onDisconnect: () => undefined,
  });
  const settleAtEnd = async (): Promise<void> => {
    const {stderr} = await child.ended;
    lost ??= describeEnd(stderr, heapMb);
    settle({lost});
    isReady();
  };
  const ended = settleAtEnd();
  const end = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  // Loading the library takes longer than most expressions.
  await ready;
  return {
    end,
    ask: async (question) =>
      await new Promise((resolve) => {
        const timer = setTimeout(() => {
          lost = {reason: 'time', message: `an expression took longer than ${timeMs} ms`};
          child.kill();
        }, timeMs);
        settle = (asked) => {
          clearTimeout(timer);
          resolve(asked);
        };
        if (lost === undefined) child.send(question);
        else settle({lost});
      }),
  };
}

function describeEnd(stderr: string, heapMb: number): NoAnswer {
  if (stderr.includes('out of memory')) {
    return {reason: 'memory', message: `an expression needed more than ${heapMb} MiB`};
  }
  const [line = ''] = stderr.trim().split('\n');
  return {reason: 'crash', message: `the process of the expressions ended: ${line || 'it was killed'}`};
}
