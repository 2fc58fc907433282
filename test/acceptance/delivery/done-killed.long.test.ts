// The host's process is killed during wu:done, before and after the main branch is moved. After a restart, the same session repeats the
// call, which completes the work unit and merges it once. Tests beside the code cover every other point of a kill, without processes.
// With transactional writes, the log never reports more than the repository shows.
import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {ToolOutput} from '@lumenflow/schemas';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startHostProcess, type HostProcess} from '../../support/host-process.ts';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {assertBuilt} from '../../support/lumenflow-program.ts';

let workspace: HostWorkspace;
const hosts: HostProcess[] = [];

const git = (...args: string[]): string => execFileSync('git', args, {cwd: workspace.root, encoding: 'utf8'}).trim();

beforeAll(() => assertBuilt());

function makeRepository(writes: 'transactional' | undefined): void {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    files: {'.gitignore': '.lumenflow/\n', 'src/a.txt': 'a\n'},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything, ...(writes && {writes})}],
      software_delivery: {
        gates: {commands: {test: 'test -f src/a.txt'}},
        git: {author: {name: 'Ada', email: 'ada@example.org'}},
      },
    },
  });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--message', 'first');
}

afterAll(async () => await Promise.all(hosts.map((host) => host.kill())));

async function must(host: HostProcess, tool: string, input: object = {}): Promise<Record<string, unknown>> {
  const output = await host.call(tool, input);
  if (!output.success) throw new Error(`\`${tool}\` failed: ${JSON.stringify(output.error)}`);
  return output.data as Record<string, unknown>;
}

/** Waits until the log has the step of the work unit. Throws if `wu:done` has ended without it. */
async function untilStep(step: string, id: string, asked: Promise<unknown>): Promise<void> {
  const log = join(workspace.root, '.lumenflow/packs/software-delivery/events');
  const isReported = (): boolean =>
    readFileSync(log, 'utf8')
      .split('\n')
      .some((line) => line.includes(`"${step}"`) && line.includes(`"${id}"`));
  let answer: unknown;
  void asked.then((output) => (answer = output));
  while (!isReported()) {
    if (answer !== undefined) throw new Error(`no \`${step}\`: ${JSON.stringify(answer)}`);
    await sleep(2);
  }
}

async function prepare(host: HostProcess, id: string): Promise<number> {
  const path = `src/${id}.txt`;
  const words = {lane: 'core', type: 'chore', priority: 'P2', acceptance: ['it is there'], code_paths: [path]};
  const description = `The file ${path} is missing, and this work unit adds it to the repository for good.`;
  await must(host, 'wu:create', {id, title: `Add ${path}`, description, ...words});
  const {lease} = (await must(host, 'wu:claim', {id})) as {lease: {token: number}};
  await must(host, 'file:write', {path, content: `${id}\n`});
  await must(host, 'git:add', {all: true});
  await must(host, 'git:commit', {message: `Add ${path}`});
  return lease.token;
}

async function start(): Promise<HostProcess> {
  const host = await startHostProcess(workspace.root);
  hosts.push(host);
  await host.ask('open', {by: 'ada', session_id: 'session-ada', own_task_id: `own-${hosts.length}`});
  return host;
}

/** What the pack's log says was merged is merged. */
function expectTruth(id: string): void {
  const log = readFileSync(join(workspace.root, '.lumenflow/packs/software-delivery/events'), 'utf8');
  const events = log.split('\n').filter((line) => line.includes(`"${id}"`));
  const gated = events.findLast((line) => line.includes('"done_gated"'));
  if (!events.some((line) => line.includes('"done_merged"'))) return;
  const {commit} = JSON.parse(gated ?? '{}') as {commit?: string};
  expect(git('merge-base', '--is-ancestor', commit ?? '', 'main')).toBe('');
}

describe.each([undefined, 'transactional' as const])('in a lane with writes: %s', (writes) => {
  beforeAll(() => makeRepository(writes));
  afterAll(async () => await workspace.remove());

  test('around the merge', {timeout: 300_000}, async () => {
    let host = await start();
    for (const [index, step] of ['done_gated', 'done_merged'].entries()) {
      const id = `WU-${index + 1}`;
      const lease_token = await prepare(host, id);
      const before = git('rev-parse', 'main');
      const asked: Promise<ToolOutput | string> = host.call('wu:done', {id, lease_token}).catch(String);
      await untilStep(step, id, asked);
      await host.kill();
      await asked;
      expectTruth(id);
      // What a git that is killed in the very middle leaves.
      for (const ref of ['HEAD', 'refs/heads/main']) writeFileSync(join(workspace.root, `.git/${ref}.lock`), '');

      host = await start();
      const {success, error} = await host.call('wu:done', {id, lease_token});
      expect(success || error?.code === 'WU_DONE', `${step}: ${JSON.stringify(error)}`).toBe(true);
      await must(host, 'doctor', {areas: ['worktrees'], fix: true});
      expect(git('rev-list', '--count', `${before}..main`), step).toBe('2');
      expect(git('show', `main:src/${id}.txt`)).toBe(id);
      expect((await host.ask('tasks')).find(({task_id}) => task_id === id)?.state).toBe('done');
      expect(git('worktree', 'list').split('\n')).toHaveLength(1);
    }
    expect(await host.close()).toBe(0);
  });
});
