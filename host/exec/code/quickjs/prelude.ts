// What code finds in QuickJS beside the language: tools, the gateway, a console, and its result. It runs before the code, in the same
// engine, and only the functions that it receives lead out. What the code changes here affects only itself.

/** Source of a function of the functions `request(operation, argsJson)`, `print(stream, text)` and `end(isValue, json)`. */
export const prelude: string = String.raw`(request, print, end) => {
  'use strict';
  const {parse, stringify} = JSON;
  const cut = Function.prototype.call.bind(String.prototype.slice);
  class ToolError extends Error {
    constructor({code, message, details}) {
      super(message);
      this.name = 'ToolError';
      this.code = code;
      if (details !== undefined) this.details = details;
    }
  }
  // The place of a call is known only while it is made.
  const ask = async (operation, ...args) => {
    const {stack} = new Error();
    const answer = parse(await request(operation, stringify(args)));
    if (answer.ok) return answer.value;
    const error = new ToolError(answer.problem);
    Object.defineProperty(error, 'stack', {value: stack, writable: true, configurable: true});
    throw error;
  };
  const toolAt = (path) => new Proxy(() => undefined, {
    get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : toolAt([...path, key])),
    apply: (_, self, [args = {}]) => ask('call', path, args),
  });
  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.name + ': ' + value.message;
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const printer = (stream) => (...values) => print(stream, values.map(shown).join(' ') + '\n');
  let given;
  const globals = {
    ToolError,
    tools: toolAt([]),
    gateway: Object.freeze({
      searchTools: (query, options) => ask('search_tools', query, options),
      listNamespaces: () => ask('list_namespaces'),
      describeTool: (id, options) => ask('describe_tool', id, options),
      listToolExamples: (id) => ask('list_tool_examples', id),
      runTool: (id, args = {}) => ask('run_tool', id, args),
      runChain: (steps, options) => ask('run_chain', steps, options),
    }),
    result: (value) => void (given = {value}),
    console: Object.freeze({
      debug: printer('stdout'),
      log: printer('stdout'),
      info: printer('stdout'),
      warn: printer('stderr'),
      error: printer('stderr'),
    }),
  };
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, {value, enumerable: true});
  const finish = (returned) => {
    const text = stringify(given === undefined ? returned : given.value);
    end(true, text === undefined ? 'null' : text);
  };
  const fail = (thrown) => {
    const isError = thrown instanceof Error;
    const text = isError ? thrown.name + ': ' + thrown.message : shown(thrown);
    const stack = isError ? cut(thrown.stack, 0, 8000) : '';
    const cause = isError && typeof thrown.code === 'string' ? cut(thrown.code, 0, 100) : undefined;
    end(false, stringify({text: cut(text, 0, 8000), stack, cause}));
  };
  return (main) => void main().then(finish).catch(fail);
}`;
