// What policy keeps out of the workspace is not in the pack's log either: a spec that is denied makes no work unit, and a
// merge that waits for a person completes nothing until it is applied.
import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeDeliveryStage, wuWords, type DeliveryStage} from '../../support/delivery-stage.ts';
import {codeOf, must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let stage: DeliveryStage;

beforeAll(async () => {
  stage = await makeDeliveryStage(
    {gates: {commands: {test: 'true'}}},
    {
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'no-secret-specs',
            trigger: 'on_changes',
            decision: 'deny',
            reason: 'specs name no secrets',
            when: {changes: {any: {path: 'docs/**'}, added_text: {regex: 'hunter2'}}},
          },
          {
            id: 'ask-for-main',
            trigger: 'on_changes',
            decision: 'approval_required',
            reason: 'a person merges',
            when: {changes: {any: {path: '.git/refs/heads/main'}}},
          },
        ],
      },
    },
  );
});
afterAll(async () => await stage.workspace.remove());

const steps = (id: string): readonly string[] =>
  readFileSync(stage.statePath('events'), 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"${id}"`))
    .map((line) => (JSON.parse(line) as {type: string}).type);

test('a denied spec makes no work unit, and the next one can be made', async () => {
  const ada = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
  const words = {...wuWords(1), description: 'The password hunter2 is in the file and has to be removed from it.'};
  expect(await codeOf(ada, 'wu:create', words)).toBe('POLICY_DENIED');
  expect(await must(ada, 'wu:list')).toMatchObject({total: 0});
  expect(stage.host.runtime.listTasks({}).filter(({lane_id}) => lane_id === 'core')).toEqual([]);
  const id = await stage.createWu(ada);
  expect(await codeOf(ada, 'wu:edit', {id, changes: {description: words.description}})).toBe('POLICY_DENIED');
  expect(await must(ada, 'wu:validate')).toMatchObject({valid: true});
});

test('a merge that waits for a person is recorded once it is applied', {timeout: 300_000}, async () => {
  const cem = opened(await stage.host.openSession({by: 'cem', lane: 'docs'}));
  const id = await stage.createWu(cem);
  const {lease} = (await must(cem, 'wu:claim', {id})) as {lease: {token: number}};
  await must(cem, 'file:write', {path: 'src/part-2/a.txt', content: 'x\n'});
  await must(cem, 'git:add', {all: true});
  await must(cem, 'git:commit', {message: 'a'});
  const before = stage.git('rev-parse', 'main');
  const asked = {id, lease_token: lease.token};
  const {error} = await cem.call('wu:done', asked);
  expect(error?.code).toBe('CHANGES_PARKED');
  expect(stage.git('rev-parse', 'main')).toBe(before);
  expect(steps(id)).not.toContain('done_merged');
  expect(steps(id)).not.toContain('wu_completed');
  const request_id = String(error?.details?.['request_id']);
  await stage.host.runtime.resolveApproval({request_id, approved: true, approved_by: 'bob'});
  expect(stage.git('show', 'main:src/part-2/a.txt')).toBe('x');
  await must(cem, 'wu:done', asked);
  expect(steps(id).slice(-3)).toEqual(['done_merged', 'wu_completed', 'done_cleaned']);
  expect(stage.git('rev-list', '--count', `${before}..main`)).toBe('2');
});
