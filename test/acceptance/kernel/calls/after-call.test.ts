// The kernel notifies the dispatcher when a call is over, so that what it prepares for later calls does not slow this one down.
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {EvidenceStore} from '@lumenflow/kernel/adapters';
import {createStage, filesPack, type Stage} from '../../../support/stage.ts';
import {memoryState} from '../../../support/state-home.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage(memoryState);
});
afterEach(() => stage.close());

async function orderOf(onOutcome: () => void): Promise<readonly string[]> {
  const order: string[] = [];
  const evidence = (log: EvidenceStore): EvidenceStore => ({
    ...log,
    async append(records, options) {
      for (const {type} of records) order.push(type);
      if (records.some(({type}) => type === 'tool_call_finished')) onOutcome();
      return await log.append(records, options);
    },
  });
  const write = () => ({output: {success: true as const, data: null}, afterCall: () => void order.push('after')});
  const runtime = await stage.open({packs: [filesPack], scripts: {'files:write': write}, evidence});
  const context = await runtime.startTask();
  await runtime.executeTool('files:write', {path: 'a'}, context).catch(() => undefined);
  return order.slice(-2);
}

test('afterCall comes once the outcome is recorded', async () => {
  expect(await orderOf(() => undefined)).toEqual(['tool_call_finished', 'after']);
});

test('afterCall comes when the outcome could not be recorded, too', async () => {
  const fail = (): void => {
    throw new Error('no space');
  };
  expect(await orderOf(fail)).toEqual(['tool_call_finished', 'after']);
});
