// A limit of calls that two processes share, while calls wait for a person.
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {startHostProcess, type HostProcess} from '../../support/host-process.ts';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {assertBuilt} from '../../support/lumenflow-program.ts';

const when = {tool: 'pool:report'};
const limit = 3;
let workspace: HostWorkspace;
let both: readonly [HostProcess, HostProcess];

beforeEach(async () => {
  assertBuilt();
  workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack')},
    pins: {both: {trust: 'in_process'}},
    spec: {
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'few-reports',
            trigger: 'on_tool_request',
            decision: 'deny',
            when,
            at_most: {count: limit, of: 'workspace'},
          },
          {
            id: 'ask-first',
            trigger: 'on_tool_request',
            decision: 'approval_required',
            when: {...when, arguments: {'/folder': {glob: 'docs/ask-*'}}},
          },
        ],
      },
    },
  });
  both = await Promise.all([startHostProcess(workspace.root), startHostProcess(workspace.root)]);
  const {task_id} = await both[0].ask('open', {by: 'agent', session_id: 'session-1'});
  await both[1].ask('open', {by: 'agent', session_id: 'session-1', task_id});
});
afterEach(async () => {
  await Promise.all(both.map((running) => running.kill()));
  await workspace.remove();
});

async function report(index: number, name: string): Promise<string> {
  const {success, error} = await both[index % 2]!.call('pool:report', {folder: `docs/${name}-${index}`});
  return success ? 'success' : `${error.code} ${JSON.stringify(error.details?.['rule_id'] ?? '')}`.trim();
}

/** The log's count, independent of what the processes returned. */
async function finishedReports(): Promise<number> {
  const {receipts} = await both[0].ask('receipts', {tool_name: 'pool:report', result: 'success', limit: 1000});
  return receipts.filter(({finished}) => finished !== undefined).length;
}

/** Both processes ask, and a person approves. */
async function approved(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const {error} = await both[index % 2]!.call('pool:report', {folder: `docs/ask-${index}`});
    expect(error?.code).toBe('APPROVAL_REQUIRED');
    const resolution = {request_id: error?.details?.['request_id'], approved: true, approved_by: 'olga'};
    expect(await both[(index + 1) % 2]!.ask('resolve', resolution)).toMatchObject({success: true});
  }
}

const all = Array.from({length: 2 * limit}, (_, index) => index);

test('of calls that were all approved before, no more run than the limit allows', async () => {
  await approved(all.length);
  const ends = await Promise.all(all.map((index) => report(index, 'ask')));
  const refused = Array.from({length: limit}, () => 'POLICY_DENIED "few-reports"');
  expect(ends.toSorted()).toEqual([...refused, ...Array.from({length: limit}, () => 'success')]);
  expect(await report(0, 'other')).toBe('POLICY_DENIED "few-reports"');
  expect(await finishedReports()).toBe(limit);
});

test('an approval does not reserve a call: others that run at the same time use up the limit', async () => {
  await approved(2);
  const ends = await Promise.all(all.map((index) => report(index, index < 2 ? 'ask' : 'other')));
  expect(ends.filter((end) => end === 'success')).toHaveLength(limit);
  expect(await finishedReports()).toBe(limit);
});
