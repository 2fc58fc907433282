// Work units through the real kernel, sandbox and git: specs, claims, leases, and approvals.
import type {Session} from '@lumenflow/host';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {makeDeliveryStage, wuWords, type DeliveryStage} from '../../support/delivery-stage.ts';
import {codeOf, must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let stage: DeliveryStage;
let ada: Session;
let cem: Session;
let token: number;

beforeAll(async () => {
  stage = await makeDeliveryStage({gates: {commands: {test: 'true'}}});
  ada = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
  cem = opened(await stage.host.openSession({by: 'cem', lane: 'docs'}));
});
afterAll(async () => await stage.workspace.remove());

const here = (path: string): string => join(stage.workspace.root, path);
const specOf = (id: string): string => readFileSync(here(`docs/tasks/${id}.yaml`), 'utf8');
const tokenOf = (claimed: Record<string, unknown>): number => (claimed['lease'] as {token: number}).token;

describe('a work unit', () => {
  test('is created with the next id, its file and its kernel task', async () => {
    const words = {...wuWords(1), title: 'Räume für «alle»', tests: {unit: ['a.test.ts']}, risk: 'low'};
    const planned = await must(ada, 'wu:create', {...words, dry_run: true});
    expect(existsSync(here('docs'))).toBe(false);
    const made = await must(ada, 'wu:create', words);
    expect(made).toEqual({...planned, dry_run: false});
    expect(specOf('WU-1')).toContain('title: Räume für «alle»\n');
    const tasks = stage.host.runtime.listTasks();
    expect(tasks.find(({task_id: id}) => id === 'WU-1')).toMatchObject({
      task_id: 'WU-1',
      lane_id: 'core',
      state: 'ready',
      task_type: 'work-unit',
    });
    expect(await must(ada, 'wu:show', {id: 'WU-1'})).toMatchObject({spec: words, status: 'ready', spec_recorded: true});
  });

  test.each([
    ['SPEC_INVALID', {description: 'short'}],
    ['SPEC_INVALID', {description: 'short', lane: 'nowhere'}],
    ['INVALID_INPUT', {unknown: 1}],
    ['LANE_UNKNOWN', {lane: 'nowhere'}],
    ['INVALID_CODE_PATH', {code_paths: ['../elsewhere']}],
    ['DEPENDENCY_UNKNOWN', {depends_on: ['WU-99']}],
    ['ID_TAKEN', {id: 'WU-1'}],
  ])('is refused with %s', async (code, words) => {
    expect(await codeOf(ada, 'wu:create', {...wuWords(2), ...words})).toBe(code);
  });

  test('is not written over a file that is not recorded', async () => {
    writeFileSync(here('docs/tasks/WU-3.yaml'), 'id: WU-3\n');
    expect(await codeOf(ada, 'wu:create', {...wuWords(2), id: 'WU-3'})).toBe('SPEC_EXISTS');
    expect(await codeOf(ada, 'wu:status', {id: 'WU-3'})).toBe('WU_NOT_FOUND');
    expect((await must(ada, 'wu:validate', {ids: ['WU-3']}))['valid']).toBe(false);
    rmSync(here('docs/tasks/WU-3.yaml'));
  });

  test('depends on others, in no cycle', async () => {
    expect(await stage.createWu(ada, {depends_on: ['WU-1'], id: 'WU-2'})).toBe('WU-2');
    const {error} = await ada.call('wu:edit', {id: 'WU-1', changes: {depends_on: ['WU-2']}});
    expect(error?.message).toBe('work units would depend on each other: WU-1 -> WU-2 -> WU-1');
    const {text} = await must(ada, 'wu:deps', {id: 'WU-2', format: 'ascii'});
    expect(text).toBe('[ ] WU-2 Work unit number 1\n`- [ ] WU-1 Räume für «alle»');
  });

  test('is edited by tool or by hand, and mistakes are reported with their position', async () => {
    await must(ada, 'wu:edit', {id: 'WU-2', changes: {priority: 'P0', labels: ['x'], code_paths: ['docs/**']}});
    expect(await must(ada, 'wu:list', {priority: 'P0'})).toMatchObject({units: [{id: 'WU-2', waits_for: ['WU-1']}]});
    writeFileSync(here('docs/tasks/WU-2.yaml'), specOf('WU-2').replace('labels', '# By hand.\nlables'));
    const {error} = await ada.call('wu:edit', {id: 'WU-2'});
    expect(error?.code).toBe('SPEC_INVALID');
    expect(error?.message).toMatch(/docs\/tasks\/WU-2\.yaml:\d+:1 `lables` is not a field of a spec/);
    writeFileSync(here('docs/tasks/WU-2.yaml'), specOf('WU-2').replace('lables', 'labels').replace('- x', '- y'));
    expect(await must(ada, 'wu:validate')).toMatchObject({valid: true, checked: 2, findings: [{code: 'SPEC_CHANGED'}]});
    expect(await must(ada, 'wu:edit', {id: 'WU-2'})).toMatchObject({changed: true});
    expect(await must(ada, 'wu:list', {label: 'y'})).toMatchObject({total: 1});
    expect(await must(ada, 'wu:validate')).toMatchObject({valid: true, findings: []});
  });

  test('is made of few words to try something out', async () => {
    const words = {title: 'Try a cache', lane: 'docs', code_paths: ['cache/**'], question: 'Is a cache worth it?'};
    expect(await must(ada, 'wu:proto', words)).toMatchObject({id: 'WU-3'});
    expect(await must(ada, 'wu:list', {label: 'prototype'})).toMatchObject({units: [{id: 'WU-3', type: 'chore'}]});
  });
});

describe('a claim', () => {
  test('waits for dependencies, as preflight says', async () => {
    expect(await codeOf(ada, 'wu:claim', {id: 'WU-2'})).toBe('DEPENDENCY_NOT_DONE');
    const {ready, findings} = await must(ada, 'wu:preflight', {id: 'WU-2'});
    expect([ready, JSON.stringify(findings)]).toEqual([false, expect.stringContaining('DEPENDENCY_NOT_DONE')]);
  });

  test.each([
    ['WU-2', 'DEPENDENCY_NOT_DONE', '`WU-2` depends on `WU-1` (ready)'],
    [
      'WU-1',
      'NOT_CLAIMED',
      'session `eve-1` has no lease on `WU-1`: run `wu:claim`, which also creates branch and worktree',
    ],
  ])('of the task alone, past the tool, is refused: %s with %s', async (id, cause, why) => {
    const refused = await stage.host.runtime.claimTask({task_id: id, by: 'eve', session_id: 'eve-1'});
    expect(refused).toMatchObject({
      error: {
        code: 'CLAIM_CHECK_FAILED',
        message: `the check \`wu:check-claim\` refuses the claim of task \`${id}\`: ${why}`,
        details: {cause},
      },
    });
    expect(await stage.host.openSession({by: 'eve', task_id: id})).toMatchObject({
      success: false,
      error: {message: expect.stringContaining('wu:check-claim')},
    });
  });

  test('detects every edit of the spec', async () => {
    const text = specOf('WU-1');
    writeFileSync(here('docs/tasks/WU-1.yaml'), `${text}# later\n`);
    expect(await codeOf(ada, 'wu:claim', {id: 'WU-1'})).toBe('SPEC_CHANGED');
    writeFileSync(here('docs/tasks/WU-1.yaml'), text);
  });

  test('returns lease, branch, worktree and brief, and the session continues in it', async () => {
    expect(await must(ada, 'wu:claim', {id: 'WU-1', dry_run: true})).toMatchObject({branch: 'lane/core/wu-1'});
    expect(stage.git('branch', '--list', 'lane/*')).toBe('');
    const claimed = await must(ada, 'wu:claim', {id: 'WU-1'});
    token = tokenOf(claimed);
    expect(claimed).toMatchObject({worktree: 'worktrees/wu-1', resumed: false, base: stage.git('rev-parse', 'main')});
    expect(claimed['brief']).toContain('# WU-1: Räume für «alle»');
    expect(ada.task_id).toBe('WU-1');
    expect(stage.git('log', '-1', '--format=%s', 'lane/core/wu-1')).toBe('Record the spec of WU-1');
    expect(stage.git('status', '--porcelain', '--', 'worktrees', 'src')).toBe('');
  });

  test('repeated by the owner continues with it', async () => {
    const again = await must(ada, 'wu:claim', {id: 'WU-1'});
    expect(again).toMatchObject({resumed: true, lease: {token}});
  });

  test('by another is refused, as is one that meets its files or its full lane', async () => {
    expect(await codeOf(cem, 'wu:claim', {id: 'WU-1'})).toBe('LEASE_HELD');
    const meets = await stage.createWu(cem, {lane: 'docs', code_paths: ['src/*/new.ts']});
    expect(await codeOf(cem, 'wu:claim', {id: meets})).toBe('CODE_PATHS_OVERLAP');
    const {session_id} = cem;
    expect(await stage.host.runtime.claimTask({task_id: meets, by: 'cem', session_id})).toMatchObject({
      error: {details: {cause: 'CODE_PATHS_OVERLAP'}},
    });
    const full = await stage.createWu(cem, {code_paths: ['other/**']});
    expect(await codeOf(cem, 'wu:claim', {id: full})).toBe('LANE_FULL');
    expect(await must(cem, 'wu:status')).toMatchObject({counts: {in_progress: 1}, units: [{id: 'WU-1', lane: 'core'}]});
  });

  test('limits a command to the files of the work unit', async () => {
    const run = async (command: string): Promise<Record<string, unknown>> =>
      await must(ada, 'wu:sandbox', {id: 'WU-1', command});
    await must(ada, 'file:write', {path: 'src/part-1/a.mjs', content: 'export {};\n'});
    expect(await run('echo changed > src/part-1/a.mjs && cat src/part-1/a.mjs')).toMatchObject({stdout: 'changed\n'});
    expect((await run('echo x > src/a.mjs'))['exit_code']).not.toBe(0);
    expect(await codeOf(cem, 'wu:sandbox', {id: 'WU-1', command: 'true'})).toBe('NOT_CLAIMED');
  });

  test('is handed over with hashes', async () => {
    const brief = await must(ada, 'wu:brief', {id: 'WU-1'});
    expect(brief['prompt']).toContain('`src/part-1/**`');
    expect(await must(ada, 'wu:show', {id: 'WU-1'})).toMatchObject({briefed: {spec_hash: brief['spec_hash']}});
  });

  test('is blocked and unblocked with its token only', async () => {
    const blocked = {id: 'WU-1', lease_token: token, reason: 'no key yet'};
    expect(await codeOf(cem, 'wu:block', {...blocked, lease_token: token + 1})).toBe('LEASE_STALE');
    expect(await codeOf(ada, 'wu:edit', {id: 'WU-1', changes: {title: 'Another'}})).toBe('WU_NOT_READY');
    await must(ada, 'wu:block', blocked);
    expect(ada.task_id).not.toBe('WU-1');
    expect(await codeOf(ada, 'wu:claim', {id: 'WU-1'})).toBe('WU_BLOCKED');
    expect(await must(ada, 'wu:status', {id: 'WU-1'})).toMatchObject({units: [{blocked_reason: 'no key yet'}]});
    await must(ada, 'wu:unblock', {id: 'WU-1', lease_token: token});
    expect(ada.task_id).toBe('WU-1');
  });

  test('is escalated, and people answer', async () => {
    await must(ada, 'wu:escalate', {id: 'WU-1', reason: 'which rooms?'});
    expect(await must(cem, 'wu:status', {id: 'WU-1'})).toMatchObject({units: [{escalation: 'which rooms?'}]});
    await must(cem, 'wu:escalate', {id: 'WU-1', reason: 'all of them', resolve: true});
    expect(await codeOf(cem, 'wu:escalate', {id: 'WU-1', reason: 'again', resolve: true})).toBe('NOT_ESCALATED');
  });

  test('is released, with the work kept for the next session', async () => {
    expect(await codeOf(cem, 'wu:release', {id: 'WU-1', reason: 'mine now'})).toBe('LEASE_HELD');
    await must(ada, 'wu:release', {id: 'WU-1', lease_token: token, reason: 'lunch'});
    expect(await codeOf(ada, 'wu:unblock', {id: 'WU-1', lease_token: token})).toBe('NOT_CLAIMED');
    const claimed = await must(cem, 'wu:claim', {id: 'WU-1'});
    expect(tokenOf(claimed)).toBe(token + 1);
    expect(await must(cem, 'file:read', {path: 'src/part-1/a.mjs'})).toMatchObject({content: 'changed\n'});
  });

  test('whose lease is over by the log is kept by any work in it', async () => {
    const id = 'WU-1';
    const {session_id} = cem;
    stage.letHoursPass(2);
    expect(await must(ada, 'wu:list', {lane: 'core', status: ['in_progress']})).toMatchObject({
      units: [{id, session_id, lease_expired: true}],
    });
    stage.dateCalls(0);
    await must(cem, 'file:read', {path: 'src/part-1/a.mjs'});
    stage.dateCalls(100);
    expect(await codeOf(ada, 'wu:claim', {id})).toBe('LEASE_HELD');
    expect(await codeOf(ada, 'wu:claim', {id, dry_run: true})).toBe('LEASE_HELD');
    expect(await codeOf(ada, 'wu:release', {id, reason: 'nobody is there'})).toBe('LEASE_HELD');
    expect(await must(ada, 'wu:status', {id})).toMatchObject({units: [{lease: {session_id, expired: false}}]});
    expect(await must(ada, 'lane:health')).toMatchObject({healthy: true});
    expect(await must(ada, 'orchestrate:monitor')).toMatchObject({stuck: []});
    const {units} = await must(ada, 'wu:list', {lane: 'core', status: ['in_progress']});
    expect(units).toMatchObject([{id, session_id}]);
    expect(units).not.toMatchObject([{lease_expired: true}]);
    await must(cem, 'wu:release', {id, lease_token: token + 1, reason: 'a break'});
    expect(tokenOf(await must(cem, 'wu:claim', {id}))).toBe(token + 2);
  });

  test('whose lease has expired can be claimed by another, and its former owner loses it', async () => {
    stage.letHoursPass(2);
    expect(await must(ada, 'lane:health')).toMatchObject({healthy: false, findings: [{code: 'LEASE_EXPIRED'}]});
    const taken = await must(ada, 'wu:claim', {id: 'WU-1'});
    expect(taken).toMatchObject({taken_from: cem.session_id, lease: {token: token + 3}});
    expect(await codeOf(cem, 'wu:block', {id: 'WU-1', lease_token: token + 2, reason: 'late'})).toBe('LEASE_STALE');
    expect([ada.task_id, cem.task_id === 'WU-1']).toEqual(['WU-1', false]);
    stage.letHoursPass(2);
    await must(cem, 'wu:release', {id: 'WU-1', reason: 'nobody is there'});
    expect(ada.task_id).not.toBe('WU-1');
  });
});

describe('with a person who agrees', () => {
  test('a work unit is deleted, unless another waits for it', async () => {
    await expect(stage.mustApproved(cem, 'wu:delete', {id: 'WU-1', reason: 'not needed'})).rejects.toThrow(
      'WU_AWAITED',
    );
    await stage.mustApproved(cem, 'wu:delete', {id: 'WU-3', reason: 'not needed'});
    expect(stage.host.runtime.listTasks().find(({task_id}) => task_id === 'WU-3')).toMatchObject({
      state: 'cancelled',
      cancelled_reason: 'not needed',
    });
    const {session_id} = cem;
    expect(await stage.host.runtime.claimTask({task_id: 'WU-3', by: 'cem', session_id})).toMatchObject({
      error: {code: 'TASK_NOT_CLAIMABLE', details: {state: 'cancelled'}},
    });
    expect(existsSync(here('docs/tasks/WU-3.yaml'))).toBe(false);
    expect(
      await must(cem, 'wu:proto', {title: 'Try it again', lane: 'docs', code_paths: [], question: 'Is it worth it?'}),
    ).toMatchObject({id: 'WU-6'});
  });

  test('what was lost is rebuilt from the record', async () => {
    const log = readFileSync(stage.statePath('events'), 'utf8');
    const eve = opened(await stage.host.openSession({by: 'eve', lane: 'docs'}));
    await must(eve, 'wu:claim', {id: 'WU-6'});
    writeFileSync(stage.statePath('events'), log);
    rmSync(here('docs/tasks/WU-2.yaml'));
    rmSync(stage.statePath('snapshots'), {recursive: true, force: true});
    writeFileSync(here('docs/tasks/WU-6.yaml'), specOf('WU-6').replace('P3', 'P1'));
    const areas = ['work_units'];
    expect((await must(ada, 'doctor', {areas}))['findings']).toMatchObject([
      {subject: 'WU-2', message: expect.stringContaining('not in the working tree')},
      {subject: 'WU-6', message: expect.stringContaining('differs from the record')},
      {subject: 'WU-6', message: expect.stringContaining('claimed by session')},
    ]);
    const mend = async () => {
      const {fixed} = await stage.mustApproved(ada, 'doctor', {areas, fix: true});
      return (fixed as {result: {repairs: object[]}}[])[0]?.result.repairs ?? [];
    };
    const repairs = await mend();
    expect((repairs as {error?: string}[]).map(({error}) => error?.split(':')[0])).toEqual([
      undefined,
      'TASK_NOT_READY',
      undefined,
    ]);
    expect(await mend()).toMatchObject([{repair: 'record-spec'}]);
    expect(await must(ada, 'doctor', {areas, fix: true})).toMatchObject({findings: [], fixed: []});
    expect(specOf('WU-2')).toContain('labels:\n  - y\n');
    const stray = {id: 'WU-77', lane_id: 'docs', type: 'work-unit'};
    await stage.host.runtime.createTask(stray);
    expect(await mend()).toMatchObject([{id: 'WU-77', repair: 'cancel-task'}]);
    expect(stage.host.runtime.listTasks({state: 'cancelled'}).map(({task_id}) => task_id)).toContain('WU-77');
  });
});
