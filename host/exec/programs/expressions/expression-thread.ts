// The thread of expressions. The host ends it when it takes too long or too much memory.
import type {ParseResult} from '@marcbachmann/cel-js';
import {parentPort} from 'node:worker_threads';
import {createCelEnvironment} from './cel-environment.ts';
import {fromCel, toCel} from './cel-values.ts';
import {expressionFault} from './expression-fault.ts';
import type {ExpressionAnswer, ExpressionQuestion} from './expression-wire.ts';

const environment = createCelEnvironment(true);
const parsed = new Map<string, ParseResult>();

const port = parentPort;

port?.on('message', (question: ExpressionQuestion) => port.postMessage(answer(question)));
// The first message: the thread is ready for questions.
port?.postMessage('ready');

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
  return {ok: true, value: found};
}
