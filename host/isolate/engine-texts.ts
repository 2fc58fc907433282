// Copies texts out of an engine, cut to a length. The memory of an engine exceeds the heap of its thread, and Node can end the whole
// process when a thread needs more than its heap.
import {isFail, type QuickJSContext, type QuickJSHandle} from 'quickjs-emscripten-core';

export class EngineTexts {
  readonly #context: QuickJSContext;
  readonly #slice: QuickJSHandle;
  readonly #member: QuickJSHandle;

  /** Before the engine runs code of others, which can replace methods. */
  constructor(context: QuickJSContext) {
    const made = (source: string): QuickJSHandle => context.unwrapResult(context.evalCode(source, 'texts.js'));
    this.#context = context;
    this.#slice = made('Function.prototype.call.bind(String.prototype.slice)');
    this.#member = made('(value, key) => { try { return value[key]; } catch {} }');
  }

  /** At most `charsMax` characters; '' for a value that has no text. */
  read(value: QuickJSHandle, charsMax: number): string {
    const cut = this.#call(this.#slice, value, this.#context.newNumber(0), this.#context.newNumber(charsMax));
    return cut?.consume((text) => this.#context.getString(text)) ?? '';
  }

  /** Of a property; '' if it has no text. */
  member(value: QuickJSHandle, key: string, charsMax: number): string {
    const found = this.#call(this.#member, value, this.#context.newString(key));
    if (found === undefined) return '';
    return found.consume((text) => (this.#context.typeof(text) === 'string' ? this.read(text, charsMax) : ''));
  }

  #call(callee: QuickJSHandle, ...args: readonly QuickJSHandle[]): QuickJSHandle | undefined {
    const [, ...own] = args;
    const called = this.#context.callFunction(callee, this.#context.undefined, ...args);
    for (const handle of own) handle.dispose();
    if (!isFail(called)) return called.value;
    called.error.dispose();
    return undefined;
  }
}
