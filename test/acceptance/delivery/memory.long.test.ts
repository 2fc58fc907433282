// Memory, signals and agents on a real repository: the next agent finds what another one leaves.
import type {Host, Session} from '@lumenflow/host';
import {execFileSync} from 'node:child_process';
import {appendFileSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {codeOf, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
let ada: Session;
let bob: Session;

interface Node {
  readonly id: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

const nodeOf = (data: Record<string, unknown>): Node => data['node'] as Node;
const git = (...args: string[]): string => execFileSync('git', args, {cwd: workspace.root, encoding: 'utf8'});

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    files: {'src/lexer.ts': 'export const lexer = 1;\n', '.gitignore': '.lumenflow/\nworktrees/\n'},
  });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'begin');
  host = await workspace.start();
  ada = opened(await host.openSession({by: 'ada'}));
  bob = opened(await host.openSession({by: 'bob'}));
  await must(ada, 'wu:create', {
    title: 'Make the lexer keep byte order marks',
    lane: 'core',
    type: 'bug',
    priority: 'P1',
    description: 'The lexer drops byte order marks, so that files change when they are only read and written.',
    acceptance: ['A file with a mark keeps it', 'A file without one gets none'],
    code_paths: ['src/**'],
  });
}, 300_000);
afterAll(async () => await workspace.remove());

describe('nodes', () => {
  it('are kept, related, ready in order, and found by words', async () => {
    const slow = nodeOf(
      await must(ada, 'mem:create', {content: 'The lexer is slow on long lines', type: 'discovery', tags: ['perf']}),
    );
    const input = {content: 'Measure the lexer first', type: 'discovery', links: [{relation: 'blocks', node: slow.id}]};
    const first = nodeOf(
      await must(ada, 'mem:create', {...input, priority: 'P0', metadata: {files: ['src/lexer.ts'], tries: 2}}),
    );
    expect(first).toMatchObject({lifecycle: 'session', metadata: {files: ['src/lexer.ts'], tries: 2}});
    expect(await must(bob, 'mem:ready', {types: ['discovery']})).toMatchObject({
      ready: [{id: first.id}],
      total: 1,
      blocked: [{id: slow.id, blocked_by: [first.id]}],
    });
    expect(await must(bob, 'mem:search', {query: 'lexer lines', tags: ['perf']})).toMatchObject({
      hits: [{id: slow.id, open: true, snippet: 'The lexer is slow on long lines'}],
      total: 1,
    });
    const circle = [
      {relation: 'blocked_by', node: slow.id},
      {relation: 'blocks', node: first.id},
    ];
    expect(await codeOf(ada, 'mem:create', {content: 'x', links: circle})).toBe('BLOCKS_CYCLE');
    const gone = `mem-${'0'.repeat(32)}`;
    expect(await codeOf(ada, 'mem:create', {content: 'x', links: [{relation: 'related', node: gone}]})).toBe(
      'NODE_NOT_FOUND',
    );
    expect(await codeOf(ada, 'mem:create', {content: 'x', wu_id: 'WU-99'})).toBe('WU_NOT_FOUND');
  });

  it('become a work unit by triage, once', async () => {
    const {open} = await must(bob, 'mem:triage');
    const [{id}] = open as [Node];
    expect(await codeOf(bob, 'mem:triage', {id})).toBe('INVALID_INPUT');
    const promote = {lane: 'core', type: 'chore', acceptance: ['There are figures'], code_paths: ['bench/**']};
    expect(await codeOf(bob, 'mem:triage', {id, promote: {...promote, lane: 'nowhere'}})).toBe('LANE_UNKNOWN');
    expect(await must(bob, 'mem:triage', {id, promote, dry_run: true})).toMatchObject({total: 2});
    const done = await must(bob, 'mem:triage', {id, promote});
    expect(done).toMatchObject({total: 1, wu_id: 'WU-2', node: {id, closed: {as: 'promoted', into: 'WU-2'}}});
    expect(readFileSync(join(workspace.root, 'docs/tasks/WU-2.yaml'), 'utf8')).toContain(`Discovered as ${id}`);
    expect(await codeOf(bob, 'mem:triage', {id, promote})).toBe('NODE_CLOSED');
    const [{id: other}] = done['open'] as [Node];
    expect(await must(bob, 'mem:triage', {id: other, action: 'prioritize', priority: 'P3'})).toMatchObject({
      node: {priority: 'P3'},
    });
    expect(await codeOf(bob, 'mem:triage', {id: other, action: 'archive'})).toBe('INVALID_INPUT');
    expect(await must(bob, 'mem:triage', {id: other, action: 'archive', reason: 'not worth it'})).toMatchObject({
      total: 0,
      node: {closed: {as: 'archived', reason: 'not worth it'}},
    });
    expect(await must(bob, 'mem:triage', {id: other, action: 'reopen'})).toMatchObject({total: 1});
    // Two at once do not make two of it.
    const both = await Promise.all([ada, bob].map((session) => codeOf(session, 'mem:triage', {id: other, promote})));
    expect(both.toSorted()).toEqual(['NODE_CLOSED', 'success']);
    expect(await codeOf(bob, 'wu:show', {id: 'WU-4'})).toBe('WU_NOT_FOUND');
  });
});

describe('agents and their signals', () => {
  it('reach each other by name, with a receipt for each reader', async () => {
    expect(await must(ada, 'agent:session', {agent: 'ada-1', model: 'm'})).toMatchObject({
      resumed: false,
      session: {agent: 'ada-1'},
    });
    expect(await must(ada, 'agent:session', {agent: 'ada-1'})).toMatchObject({resumed: true});
    await must(bob, 'agent:session', {agent: 'bob-1'});
    expect(await must(bob, 'agent:heartbeat')).toMatchObject({session: {agent: 'bob-1'}, lease: null});
    const {signal} = await must(ada, 'mem:signal', {message: 'Is the lexer yours?', kind: 'question', to: 'bob-1'});
    const {id} = signal as Node;
    await must(ada, 'mem:signal', {message: 'for all'});
    expect(await must(bob, 'mem:inbox')).toMatchObject({
      reader: 'bob-1',
      total: 2,
      signals: [{message: 'for all'}, {id, from: 'ada-1'}],
    });
    expect(await must(bob, 'mem:ack', {ids: [id]})).toEqual({
      reader: 'bob-1',
      acknowledged: [id],
      unread: 1,
      dry_run: false,
    });
    expect(await must(bob, 'mem:ack', {ids: [id]})).toMatchObject({acknowledged: []});
    expect(await codeOf(bob, 'mem:ack', {ids: [`sig-${'0'.repeat(32)}`]})).toBe('SIGNAL_NOT_FOUND');
    expect(await must(bob, 'mem:inbox')).toMatchObject({total: 1});
    expect(await must(ada, 'mem:inbox')).toMatchObject({reader: 'ada-1', total: 0});
    expect(await must(bob, 'mem:inbox', {reader: 'eve'})).toMatchObject({total: 1});
    expect(await must(bob, 'mem:ack', {dry_run: true})).toMatchObject({unread: 0});
    expect(await must(bob, 'mem:ack')).toMatchObject({unread: 0});
    expect(await must(bob, 'mem:inbox', {include_read: true})).toMatchObject({total: 2});
    expect(await must(bob, 'doctor', {areas: ['signals'], fix: true})).toMatchObject({fixed: []});
    const log = join(workspace.root, '.lumenflow/packs/software-delivery/events');
    const aged = (line: string): string =>
      line.includes('"signal_sent"') ? line.replaceAll(/"\d{4}(-\d\d-\d\dT)/gu, '"2020$1') : line;
    writeFileSync(log, readFileSync(log, 'utf8').split('\n').map(aged).join('\n'));
    rmSync(join(workspace.root, '.lumenflow/packs/software-delivery/snapshots'), {recursive: true, force: true});
    expect(await must(bob, 'doctor', {areas: ['signals'], fix: true})).toMatchObject({
      fixed: [{tool: 'signal:cleanup', result: {forgotten: 2, remaining: 0}}],
    });
  });

  it('say what got in their way', async () => {
    const issue = {category: 'tooling', severity: 'minor', title: 'Slow tests', description: 'They take ten minutes.'};
    expect(await must(ada, 'agent:log-issue', {...issue, wu_id: 'WU-1', files: ['test'], tags: ['ci']})).toMatchObject({
      issue: {agent: 'ada-1', wu_id: 'WU-1'},
    });
    await must(bob, 'agent:log-issue', {...issue, severity: 'major', dry_run: true});
    await must(bob, 'agent:log-issue', {...issue, severity: 'major'});
    expect(await must(bob, 'agent:issues-query', {category: 'tooling', limit: 1})).toMatchObject({
      total: 2,
      issues: [{agent: 'bob-1'}],
      by_severity: {major: 1, minor: 1},
      recurring: [{title: 'Slow tests', count: 2, severity: 'major'}],
    });
  });
});

describe('work that is handed over', () => {
  it('continues from the last checkpoint, the acceptance, the changes and the next steps', async () => {
    const {worktree} = await must(ada, 'wu:claim', {id: 'WU-1'});
    expect(await must(ada, 'agent:heartbeat')).toMatchObject({
      session: {agent: 'ada-1', wu_id: 'WU-1'},
      lease: {wu_id: 'WU-1', expires_at: expect.any(String)},
    });
    const begun = await must(ada, 'mem:start', {goal: 'Keep the mark'});
    expect(begun).toMatchObject({resumed: false, node: {wu_id: 'WU-1'}});
    expect(begun['context']).toContain('# Memory of WU-1');
    expect(await must(ada, 'mem:start', {goal: 'Keep the mark'})).toMatchObject({resumed: true, node: begun['node']});
    writeFileSync(
      join(workspace.root, String(worktree), 'src/lexer.ts'),
      'export const lexer = 2;\nexport const mark = 1;\n',
    );
    writeFileSync(join(workspace.root, String(worktree), 'src/märk.ts'), '');
    const checkpoint = nodeOf(
      await must(ada, 'mem:checkpoint', {
        content: 'The mark is read. Writing it is missing.',
        next_steps: ['Write the mark'],
      }),
    );
    expect(checkpoint).toMatchObject({
      wu_id: 'WU-1',
      lifecycle: 'wu',
      metadata: {branch: 'lane/core/wu-1', changed: expect.stringMatching(/^2 files changed, /), untracked: 1},
    });
    await must(ada, 'agent:session-end', {outcome: 'handed_over', summary: 'half way'});
    expect(await codeOf(ada, 'agent:heartbeat')).toBe('SESSION_NOT_FOUND');

    const page = await must(bob, 'mem:recover', {wu_id: 'WU-1'});
    expect(page).toMatchObject({wu_id: 'WU-1', checkpoint_id: checkpoint.id});
    for (const part of [
      '# Taking over WU-1: Make the lexer keep byte order marks',
      'in_progress since',
      'branch `lane/core/wu-1`',
      'The mark is read. Writing it is missing.',
      '## Next steps\n\n- Write the mark',
      '## Acceptance\n\n- A file with a mark keeps it\n- A file without one gets none',
      '## Code paths\n\n- `src/**`',
      'src/lexer.ts',
      '- `src/märk.ts`',
    ]) {
      expect(page['markdown']).toContain(part);
    }
    expect(Buffer.byteLength(String(page['markdown']))).toBe(page['bytes']);
    expect(await codeOf(bob, 'mem:recover')).toBe('WU_MISSING');
  });

  it('is summarized, and what it taught is kept for the project', async () => {
    const note = nodeOf(await must(ada, 'mem:create', {content: 'Marks are three bytes in UTF-8', tags: ['utf-8']}));
    const lesson = nodeOf(await must(ada, 'mem:promote', {id: note.id, as: 'pitfall'}));
    expect(lesson).toMatchObject({
      lifecycle: 'project',
      tags: ['pitfall', 'utf-8'],
      metadata: {promoted_from_wu: 'WU-1'},
    });
    expect(await codeOf(ada, 'mem:promote', {id: note.id, as: 'pitfall'})).toBe('NODE_CLOSED');
    const dry = await must(ada, 'mem:summarize', {wu_id: 'WU-1', dry_run: true});
    const summary = await must(ada, 'mem:summarize', {wu_id: 'WU-1'});
    expect(summary).toMatchObject({content: dry['content'], sources: dry['sources']});
    expect(summary['sources']).toHaveLength(2);
    expect(await codeOf(ada, 'mem:summarize', {wu_id: 'WU-1'})).toBe('NOTHING_TO_SUMMARIZE');
    expect(await codeOf(ada, 'mem:summarize', {wu_id: 'WU-1', content: 'ä'.repeat(5000)})).toBe('TOO_LARGE');
    const {markdown} = await must(ada, 'mem:context', {max_bytes: 2048});
    expect(markdown).toContain('## Summaries');
    expect(markdown).toContain('Marks are three bytes in UTF-8 #pitfall #utf-8');
  });
});

describe('what is forgotten', () => {
  it('is nowhere but in the log, which says so', async () => {
    const secret = nodeOf(await must(ada, 'mem:create', {content: 'the launch code is swordfish'}));
    expect(await codeOf(ada, 'mem:delete', {ids: [secret.id, `mem-${'1'.repeat(32)}`], reason: 'x'})).toBe(
      'NODE_NOT_FOUND',
    );
    expect(await must(ada, 'mem:delete', {ids: [secret.id], reason: 'a secret', dry_run: true})).toMatchObject({
      dry_run: true,
    });
    expect(await must(ada, 'mem:search', {query: 'swordfish'})).toMatchObject({total: 1});
    await must(ada, 'mem:init');
    expect(stateFilesWith('swordfish')).toHaveLength(2);
    await must(ada, 'mem:delete', {ids: [secret.id], reason: 'a secret'});
    expect(await must(ada, 'mem:search', {query: 'swordfish'})).toMatchObject({total: 0});
    expect(JSON.stringify(await must(ada, 'mem:export', {format: 'markdown'}))).not.toContain('swordfish');
    expect(stateFilesWith('swordfish')).toEqual(['events']);
  });

  it('is what is past its time, by lifecycle', async () => {
    const old = nodeOf(await must(ada, 'mem:create', {content: 'scratch', lifecycle: 'ephemeral'}));
    // As the log would have it had the node been made last year.
    const log = join(workspace.root, '.lumenflow/packs/software-delivery/events');
    const line =
      readFileSync(log, 'utf8')
        .split('\n')
        .find((text) => text.includes(old.id)) ?? '';
    const id = old.id.replace(/.$/, old.id.endsWith('0') ? '1' : '0');
    appendFileSync(log, `${line.replaceAll(old.id, id).replace(/"at":"\d{4}/, '"at":"2020')}\n`);
    const areas = ['memory'];
    expect(await must(ada, 'doctor', {areas})).toMatchObject({findings: [{code: 'MEMORY_EXPIRED'}]});
    const {findings, fixed} = await must(ada, 'doctor', {areas, fix: true});
    expect(findings).toEqual([]);
    const [cleaned] = fixed as readonly {result: {forgotten: number; remaining: number}}[];
    const {forgotten, remaining} = cleaned?.result ?? {};
    expect(forgotten).toBe(1);
    expect(await must(ada, 'mem:init', {dry_run: true})).toMatchObject({nodes: remaining});
    expect(await must(ada, 'mem:search', {query: 'scratch'})).toMatchObject({hits: [{id: old.id}]});
  });
});

function stateFilesWith(text: string): readonly string[] {
  const folder = join(workspace.root, '.lumenflow/packs/software-delivery');
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').includes(text))
    .map(({name}) => name);
}
