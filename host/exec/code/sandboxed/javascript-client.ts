// What JavaScript in a sandbox finds: the same names as in QuickJS.

export const javascriptClient: string = String.raw`const {createInterface} = require('node:readline');
const {Socket} = require('node:net');
const {writeSync} = require('node:fs');
const waiting = new Map();
let last = 0;
class ToolError extends Error {
  constructor({code, message, details}) {
    super(message);
    Object.assign(this, {name: 'ToolError', code, details});
  }
}
const answers = new Socket({fd: 4, readable: true, writable: false}).unref();
createInterface({input: answers}).on('line', (line) => {
  const {id, ok, value, problem} = JSON.parse(line);
  const {resolve, reject, place} = waiting.get(id);
  waiting.delete(id);
  if (waiting.size === 0) answers.unref();
  if (ok) return resolve(value);
  const error = new ToolError(problem);
  // The place of a call is known only while it is made.
  error.stack = error.name + ': ' + error.message + place.stack.slice(place.stack.indexOf('\n'));
  reject(error);
});
const write = (message) => {
  const bytes = Buffer.from(JSON.stringify(message) + '\n');
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(3, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
const ask = (operation, ...args) => new Promise((resolve, reject) => {
  const place = {stack: ''};
  Error.captureStackTrace(place, ask);
  waiting.set((last += 1), {resolve, reject, place});
  answers.ref();
  write({id: last, operation, args});
});
const toolAt = (path) => new Proxy(() => undefined, {
  get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : toolAt([...path, key])),
  apply: (_, self, [args = {}]) => ask('call', path, args),
});
let given;
Object.assign(globalThis, {
  ToolError,
  tools: toolAt([]),
  result: (value) => void (given = {value}),
  gateway: {
    searchTools: (query, options) => ask('search_tools', query, options),
    listNamespaces: () => ask('list_namespaces'),
    describeTool: (id, options) => ask('describe_tool', id, options),
    listToolExamples: (id) => ask('list_tool_examples', id),
    runTool: (id, args = {}) => ask('run_tool', id, args),
    runChain: (steps, options) => ask('run_chain', steps, options),
  },
});
const describe = (thrown) => {
  if (!(thrown instanceof Error)) return {failure: String(thrown)};
  return {failure: thrown.name + ': ' + thrown.message, stack: String(thrown.stack)};
};
const end = (message) => {
  write(message);
  // What was printed leaves the process before it exits.
  process.stdout.write('', () => process.stderr.write('', () => process.exit('failure' in message ? 1 : 0)));
};
process.once('beforeExit', () => end({failure: 'it waits for a promise that nothing settles'}));
(async () => await require('./code.js')())()
  .then((returned) => end({value: JSON.stringify(given === undefined ? returned : given.value) ?? 'null'}))
  .catch((thrown) => end(describe(thrown)));
`;
