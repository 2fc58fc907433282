// `lumenflow serve` as a separate process, over real sockets: its output while packs change, its clients when it is asked to end, and the
// state that the next one finds. No token is left anywhere.
import {openTokenStore} from '@lumenflow/host';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {ended, startProgram, type Ran} from '../../support/lumenflow-program.ts';

const manifest = {
  id: 'echo',
  version: '0.1.0',
  manifest_version: 1,
  task_types: ['echo'],
  tools: [
    {
      name: 'echo:say',
      description: 'Says it again',
      handler_entry: 'say.ts#say',
      handler: 'in_process',
      permission: 'read',
      input_schema: {type: 'object', properties: {text: {type: 'string'}}},
      output_schema: {type: 'object', properties: {said: {type: 'string'}}},
    },
  ],
};
const handler = (word: string): string =>
  `export const say = ({text}: {text: string}): {said: string} => ({said: \`${word} \${text}\`});\n`;

let workspace: HostWorkspace;
let agent = '';
let operator = '';
/** All that any server printed. */
let printed = '';
beforeAll(async () => {
  workspace = makeHostWorkspace({
    files: {'packs/echo/manifest.yaml': JSON.stringify(manifest), 'packs/echo/say.ts': handler('I heard')},
    spec: {
      packs: [
        {id: 'echo', version: '0.1.0', integrity: 'dev', source: 'local', path: 'packs/echo', trust: 'in_process'},
      ],
    },
  });
  const tokens = openTokenStore(workspace.root);
  agent = await tokens.issue({name: 'ann', role: 'agent'});
  operator = await tokens.issue({name: 'olga', role: 'operator'});
});
afterAll(() => workspace.remove());

interface Served {
  readonly url: string;
  /** Asks it to end, and gives its exit code once it has. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

async function serve(...flags: readonly string[]): Promise<Served> {
  const child = startProgram(['serve', '--port', '0', '--json', '--rate', '0', ...flags], {cwd: workspace.root});
  const over: Promise<Ran> = ended(child);
  let text = '';
  child.stdout?.on('data', (chunk: string) => (text += chunk));
  await vi.waitFor(() => expect(text).toMatch(/\}\n$/), {timeout: 60_000});
  const {url} = JSON.parse(text) as {readonly url: string};
  return {
    url,
    async end(signal) {
      child.kill(signal);
      const {code, stdout, stderr} = await over;
      printed += stdout + stderr;
      return code;
    },
  };
}

const bearer = (token: string) => ({authorization: `Bearer ${token}`, 'content-type': 'application/json'});

async function say(url: string, text: string): Promise<Response> {
  const body = JSON.stringify({input: {text}});
  return await fetch(`${url}/v1/tools/echo:say`, {method: 'POST', headers: bearer(agent), body});
}

async function ask(url: string, path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(url + path, {headers: bearer(operator)})).json()) as Record<string, unknown>;
}

/** Reads a stream of events to its end, or to a text. */
async function follow(url: string, path: string, headers: Record<string, string>, until?: string): Promise<string> {
  const leaving = new AbortController();
  const response = await fetch(url + path, {headers: {...bearer(operator), ...headers}, signal: leaving.signal});
  if (!response.ok) return '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return text;
    text += chunk.value;
    if (until !== undefined && text.includes(until)) break;
  }
  leaving.abort();
  return text;
}

const seqsOf = (text: string): readonly number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));

test('ended during calls and open streams, it drains: every completed call was answered and recorded', async () => {
  const first = await serve();
  const receipts: string[] = [];
  const statuses = new Set<number>();
  const streams: string[] = [];
  const over = new AbortController();
  const gone = (): void => over.abort();
  const callers = Array.from({length: 6}, async (_, caller) => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const response = await say(first.url, `${caller}.${turn}`).catch(gone);
      if (!response) return;
      statuses.add(response.status);
      const answer = (await response.json()) as {readonly metadata?: {readonly receipt_id: string}};
      if (response.status === 200) receipts.push(answer.metadata?.receipt_id ?? '');
    }
  });
  const watchers = Array.from({length: 3}, async () => {
    while (!over.signal.aborted)
      streams.push((await follow(first.url, '/v1/events?after_seq=0', {}).catch(gone)) ?? '');
  });
  await vi.waitFor(() => expect(receipts.length).toBeGreaterThan(60), {timeout: 60_000});
  expect(await first.end('SIGTERM')).toBe(0);
  await Promise.all([...callers, ...watchers]);
  expect([...statuses].filter((status) => status !== 503)).toEqual([200]);

  const second = await serve();
  const {receipts: kept} = (await ask(second.url, '/v1/evidence?limit=1000')) as {
    receipts: {receipt_id: string; finished?: {result: string}}[];
  };
  expect(new Set(kept.map(({receipt_id}) => receipt_id))).toEqual(new Set(receipts));
  expect(new Set(kept.map(({finished}) => finished?.result))).toEqual(new Set(['success']));
  expect(await ask(second.url, '/v1/evidence/verify')).toMatchObject({status: 'verified', findings: []});
  expect(await ask(second.url, '/v1/tasks?state=active')).toEqual({tasks: [], total: 0});

  // An ended stream continues with the next server at the same place.
  const seen = seqsOf(streams.find((text) => seqsOf(text).length > 0) ?? '');
  const lastSeen = seen.at(-1) ?? 0;
  expect(seen).toEqual(Array.from({length: lastSeen}, (_, index) => index + 1));
  await say(second.url, 'once more');
  const events = (await follow(second.url, '/v1/events', {'last-event-id': String(lastSeen)}, 'task_completed')) ?? '';
  expect(seqsOf(events)[0]).toBe(lastSeen + 1);
  expect(await second.end('SIGINT')).toBe(0);
}, 120_000);

test('with --watch, the stream reports a changed pack, and the next call runs its new code', async () => {
  const watching = await serve('--watch');
  expect(await (await say(watching.url, 'you')).json()).toMatchObject({data: {said: 'I heard you'}});
  const reported = follow(watching.url, '/v1/events?types=tools_changed', {}, 'event: tools_changed');
  // The stream starts with its first bytes; an earlier change would not be reported.
  await vi.waitFor(async () => {
    workspace.write({'packs/echo/say.ts': handler(`Now I hear at ${performance.now()}`)});
    expect(await Promise.race([reported, new Promise((resolve) => setTimeout(resolve, 2_000, ''))])).toContain(
      '"id":"echo"',
    );
  }, 60_000);
  expect(await (await say(watching.url, 'you')).json()).toMatchObject({
    data: {said: expect.stringMatching(/^Now I hear at .* you$/)},
  });
  expect(await watching.end('SIGTERM')).toBe(0);
}, 120_000);

test('no token is in anything that was printed or kept, wherever callers put it', async () => {
  const server = await serve();
  await fetch(`${server.url}/v1/tasks?access_token=${agent}`);
  await fetch(`${server.url}/v1/none/${agent}`, {headers: bearer(operator)});
  await fetch(`${server.url}/v1/tasks?token=${agent}`, {headers: bearer(agent)});
  await fetch(`${server.url}/v1/tasks`, {headers: {authorization: `Basic ${agent}`}});
  await fetch(`${server.url}/v1/tasks`, {method: 'POST', headers: bearer(agent), body: `{"id": ${agent}`});
  expect((await say(server.url, 'still here')).status).toBe(200);
  await server.end('SIGTERM');
  const kept = readdirSync(join(workspace.root, '.lumenflow'), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(kept.length).toBeGreaterThan(5);
  for (const text of [printed, ...kept]) {
    expect(text.includes(agent) || text.includes(operator)).toBe(false);
  }
}, 60_000);
