// An MCP server that remembers: it counts its calls, and does what their arguments say. It is written without the SDK, which would
// not allow all of it.
import {createInterface} from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
const text = (value) => ({content: [{type: 'text', text: String(value)}]});

let count = 0;
let isChanged = false;
let asked = 0;
let progressToken;
const waiting = new Map();
const cancelled = [];

const tool = (name) => ({
  name,
  description: isChanged ? 'Counts, and sends what it counted' : 'Counts its calls',
  inputSchema: {type: 'object', properties: {do: {type: 'string'}}, additionalProperties: false},
});

/** Resolves with the client's answer. */
const ask = async (message) => {
  const id = `ask-${++asked}`;
  const requestedSchema = {type: 'object', properties: {name: {type: 'string'}}, required: ['name']};
  say({id, method: 'elicitation/create', params: {message, requestedSchema}});
  return await new Promise((resolve) => waiting.set(id, resolve));
};

const actions = {
  crash: () => process.exit(3),
  'crash-later': () => (setTimeout(() => process.exit(3), 50), text(count)),
  freeze: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  hang: () => new Promise(() => undefined),
  cancelled: () => text(cancelled.length),
  async ask() {
    const first = await ask('Your name?');
    const second = await ask(`And that of your cat, ${first.content?.name}?`);
    return text(`${first.content?.name} has ${second.content?.name}, ${first.action}`);
  },
  change() {
    isChanged = true;
    say({method: 'notifications/tools/list_changed'});
    return text(count);
  },
  async say() {
    say({method: 'notifications/progress', params: {progressToken, progress: count, total: 100}});
    // Clients drop progress that arrives together with the result.
    await new Promise((resolve) => setTimeout(resolve, 50));
    say({method: 'notifications/message', params: {level: 'notice', data: 'as the server sees it'}});
    return text(count);
  },
  fail: () => ({isError: true, ...text('the counter is full')}),
  lie: () => ({content: 'not a list'}),
};

const answers = {
  initialize: ({protocolVersion}) => ({
    protocolVersion,
    capabilities: {tools: {listChanged: true}, logging: {}},
    serverInfo: {name: 'counter', version: '1.0.0'},
  }),
  'tools/list': () => ({tools: [tool('count'), tool('count_again')]}),
  async 'tools/call'({arguments: args = {}, _meta}) {
    count += 1;
    progressToken = _meta?.progressToken;
    return (await actions[args.do]?.()) ?? text(count);
  },
};

for await (const line of createInterface({input: process.stdin})) {
  const {id, method, params, result} = JSON.parse(line);
  if (method === 'notifications/cancelled') cancelled.push(params.requestId);
  else if (method === undefined) waiting.get(id)?.(result);
  else if (id !== undefined)
    void Promise.resolve(answers[method]?.(params)).then((value) => say({id, result: value ?? {}}));
}
