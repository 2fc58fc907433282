// Tasks from the command line, other processes beside it, and ends before time.
import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {
  assertBuilt,
  ended,
  initialize,
  makeFolder,
  runForJson,
  runProgram,
  startProgram,
} from '../../support/lumenflow-program.ts';
import {firstDocument} from '../../support/first-document.ts';

const folder = makeFolder();
const cwd = folder.path;
const run = (...args: string[]) => runProgram(args, {cwd});
const json = (...args: string[]) => runForJson(args, {cwd});

beforeAll(async () => {
  assertBuilt();
  await initialize(cwd, '--id', 'demo');
});
afterAll(() => folder.remove());

describe('a task', () => {
  it('goes its way: created, claimed, blocked, unblocked, used, completed', async () => {
    const input = 'title: From stdin\ndeclared_scopes: [{type: path, pattern: "src/**", access: write}]\n';
    expect(await runForJson(['task', 'create', 't1', '--file', '-'], {cwd, input})).toMatchObject({
      code: 0,
      document: {ok: true, task: {task_id: 't1', lane_id: 'main', state: 'ready'}},
    });
    expect(await json('task', 'claim', 't1', '--as', 'ann')).toMatchObject({
      code: 0,
      document: {ok: true, run: {by: 'ann', session_id: 'cli-ann'}},
    });
    expect((await run('task', 'block', 't1', '--reason', 'waits')).code).toBe(0);
    expect((await run('task', 'list')).stdout).toMatch(/^t1 +main +blocked +ann +.*waits$/m);
    expect((await run('tools', 'call', 'file:list', '--task', 't1')).stderr).toContain('lumenflow task unblock t1');
    expect((await run('task', 'unblock', 't1')).code).toBe(0);
    expect(await json('tools', 'call', 'file:write', 'path=src/x', 'content=1', '--task', 't1')).toMatchObject({
      document: {ok: true, task_id: 't1'},
    });
    const refused = await json('policy', 'explain', 'file:write', 'path=docs/x', 'content=1', '--task', 't1');
    expect(refused.document['explanation']).toMatchObject({
      paths: [{path: 'docs/x', access: 'none', refusal: {layer: 'task'}}],
    });
    const shown = await json('task', 'show', 't1');
    expect(shown.document).toMatchObject({
      task: {state: 'active', spec: {title: 'From stdin'}},
      events: [
        {type: 'task_created'},
        {type: 'task_claimed'},
        {type: 'task_blocked', reason: 'waits'},
        {type: 'task_unblocked'},
      ],
      receipts: [{started: {tool_name: 'file:write'}}],
    });
    expect((await run('task', 'complete', 't1')).code).toBe(0);
    expect((await run('task', 'complete', 't1')).stderr).toContain('TASK_NOT_ACTIVE');
    expect((await run('evidence', 'verify')).code).toBe(0);
  });
});

describe('beside a server', () => {
  it('works, and the server stops cleanly', async () => {
    const server = startProgram(['serve', '--port', '0', '--json'], {cwd});
    const done = ended(server);
    const {url, token} = await firstDocument(server);
    expect(token).toMatch(/^lf_/);
    const answer = await fetch(`${String(url)}/v1/tools`, {headers: {authorization: `Bearer ${String(token)}`}});
    expect(answer.status).toBe(200);
    expect((await run('tools', 'call', 'file:list')).code).toBe(0);
    server.kill('SIGINT');
    expect((await done).code).toBe(0);
    expect((await run('evidence', 'verify')).code).toBe(0);
  });
});

describe('Ctrl-C', () => {
  beforeAll(() => {
    const file = join(cwd, 'workspace.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}software_delivery: {gates: {commands: {slow: 'sleep 60'}}}\n`);
    // Gates are run for a tree of git.
    const git = (...args: string[]) => spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd});
    for (const args of [['init'], ['add', 'workspace.yaml'], ['commit', '-m', 'first']]) {
      expect(git(...args).status).toBe(0);
    }
  });

  it('cancels the call, closes what is open and exits 130', async () => {
    const child = startProgram(['tools', 'call', 'gates', '--json'], {cwd});
    const done = ended(child);
    await untilOpen();
    child.kill('SIGINT');
    const {code, stdout} = await done;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ok: false, error: {code: 'TOOL_CANCELLED'}});
    expect((await json('task', 'list', '--state', 'active')).document['tasks']).toEqual([]);
  });

  it('twice exits at once, and the next process closes the record', async () => {
    const child = startProgram(['tools', 'call', 'gates'], {cwd});
    const done = ended(child);
    await untilOpen();
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect((await done).code).toBeGreaterThan(128);
    const [receipt] = (await json('evidence', 'list', '-n', '1')).document['receipts'] as {
      finished: {result: string};
    }[];
    expect(receipt?.finished.result).toMatch(/^(crashed|failure)$/);
    expect((await run('evidence', 'verify')).code).toBe(0);
  });
});

/** Until the handler of a call runs: its intent is on disk, its outcome is not. */
async function untilOpen(): Promise<void> {
  const traces = join(cwd, '.lumenflow/kernel/evidence/traces');
  for (let look = 0; look < 400; look += 1) {
    const text = readdirSync(traces)
      .map((name) => readFileSync(join(traces, name), 'utf8'))
      .join('');
    const count = (type: string): number => text.split(`"type":"${type}"`).length - 1;
    if (count('tool_call_started') > count('tool_call_finished')) return;
    await sleep(25);
  }
  throw new Error('no call was started');
}
