// The process of expressions. The host kills it when it takes too long; V8 ends it when it needs too much memory. The end of the host
// closes its channel, and a thread ends it if it is busy then.
import type {ParseResult} from '@marcbachmann/cel-js';
import {Worker} from 'node:worker_threads';
import {createCelEnvironment} from './cel-environment.ts';
import {fromCel, toCel} from './cel-values.ts';
import {expressionFault} from './expression-fault.ts';
import type {ExpressionAnswer, ExpressionQuestion} from './expression-wire.ts';

const [parent = Number.NaN, answerBytesMax = 0] = process.argv.slice(2).map(Number);
const environment = createCelEnvironment(true);
const parsed = new Map<string, ParseResult>();

process.on('message', (question: ExpressionQuestion) => process.send?.(answer(question)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
new Worker(new URL('./watch-parent.js', import.meta.url), {workerData: parent, stdout: true, stderr: true}).unref();

function answer({sources, values}: ExpressionQuestion): ExpressionAnswer {
  const context = toCel(values) as Record<string, unknown>;
  const found: unknown[] = [];
  for (const source of sources) {
    try {
      const evaluate = parsed.get(source) ?? environment.parse(source);
      parsed.set(source, evaluate);
      found.push(fromCel(evaluate(context)));
    } catch (error) {
      return {ok: false, problem: expressionFault(error, source)};
    }
  }
  const bytes = Buffer.byteLength(JSON.stringify(found));
  return bytes > answerBytesMax ? {ok: false, problem: {bytes}} : {ok: true, value: found, bytes};
}
