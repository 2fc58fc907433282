// Runs a pack's factories in QuickJS: the language without files, network, timers or process, with bounded time, memory and
// stack. Its interrupt handler stops loops, except those inside built-in functions, so it runs on a thread that the host can
// kill.
import type {QuickJSContext, QuickJSHandle} from 'quickjs-emscripten-core';
import {EngineTexts} from './engine-texts.ts';
import type {FactoryModule} from './factory-module.ts';
import {newQuickJs} from './new-quickjs.ts';
import {patience} from './thread-clock.ts';

/** CPU time of the isolate's thread, in milliseconds. */
export interface QuickJsLimits {
  /** For evaluating the module and creating the rules. */
  readonly loadMs: number;
  /** For one `when`. */
  readonly whenMs: number;
  readonly memoryBytes: number;
}

export interface QuickJsIsolate {
  /** Evaluates a factory module and creates its rules. Throws Error with the isolate's message. */
  load(source: string, configJson: string): string;
  /** Evaluates the `when` of a rule of the loaded module. Throws Error with the isolate's message. */
  ask(index: number, contextJson: string): boolean;
}

const stackBytes = 256 * 1024;
/** Of what factories return, as JSON. */
const madeCharsMax = 1024 * 1024;
const messageCharsMax = 4_000;

/** `workedMs` returns this thread's CPU time from an arbitrary start. */
export async function createQuickJsIsolate(limits: QuickJsLimits, workedMs: () => number): Promise<QuickJsIsolate> {
  const engine = await newQuickJs(limits.memoryBytes);
  const runtime = engine.newRuntime();
  let isOver = (): boolean => false;
  runtime.setInterruptHandler(() => isOver());
  runtime.setMaxStackSize(stackBytes);
  const context = runtime.newContext();
  const texts = new EngineTexts(context);
  const unwrap = (result: ReturnType<QuickJSContext['evalCode']>, allowedMs: number): QuickJSHandle => {
    if (!result.error) return result.value;
    // What is thrown is read in the engine, which takes time too.
    isOver = overAfter(allowedMs, workedMs);
    throw new Error(result.error.consume((error) => describeThrown(texts, error, allowedMs)));
  };
  let exported = context.undefined;
  const within = <T>(ms: number, run: () => T): T => {
    isOver = overAfter(ms, workedMs);
    return run();
  };
  const call = (name: keyof FactoryModule, args: readonly QuickJSHandle[], allowedMs: number): QuickJSHandle => {
    const callee = context.getProp(exported, name);
    try {
      if (context.typeof(callee) !== 'function') throw new Error('top-level await is not supported in a factory');
      return unwrap(context.callFunction(callee, context.undefined, ...args), allowedMs);
    } finally {
      for (const handle of [callee, ...args]) handle.dispose();
    }
  };
  return {
    load: (source, configJson) =>
      within(limits.loadMs, () => {
        const evaluated = context.evalCode(source, 'factories.mjs', {type: 'module'});
        exported = unwrap(evaluated, limits.loadMs);
        const made = call('make', [context.newString(configJson)], limits.loadMs);
        const text = made.consume((json) => texts.read(json, madeCharsMax + 1));
        if (text.length <= madeCharsMax) return text;
        throw new Error(`its factories return more than ${madeCharsMax} characters as JSON`);
      }),
    ask: (index, contextJson) =>
      within(limits.whenMs, () => {
        const args = [context.newNumber(index), context.newString(contextJson)];
        return call('ask', args, limits.whenMs).consume((answer) => {
          if (context.typeof(answer) === 'boolean') return context.dump(answer) === true;
          throw new Error(`\`when\` must return true or false, not ${context.typeof(answer)}`);
        });
      }),
  };
}

/** The wall clock is checked first because that costs less. */
function overAfter(ms: number, workedMs: () => number): () => boolean {
  const startedMs = performance.now();
  const worked = workedMs();
  return () => {
    const passed = performance.now() - startedMs;
    return passed > ms && (workedMs() - worked > ms || passed > ms * patience);
  };
}

function describeThrown(texts: EngineTexts, thrown: QuickJSHandle, allowedMs: number): string {
  const [name, message] = ['name', 'message'].map((key) => texts.member(thrown, key, messageCharsMax));
  if (name === 'InternalError' && message === 'interrupted') return `it took longer than ${allowedMs} ms`;
  if (name !== '') return `${name}: ${message}`;
  return `it threw ${texts.read(thrown, messageCharsMax) || 'a value without a text'}`;
}
