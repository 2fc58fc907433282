// Whatever is awaited in a tight loop, timers and input still run, and so do other callers.
import type {ExecutionContext} from '@lumenflow/kernel';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createStage, type Stage, type StagedRuntime} from '../../support/stage.ts';
import {fileState} from '../../support/state-home.ts';

let stage: Stage;
let runtime: StagedRuntime;
let context: ExecutionContext;
beforeEach(async () => {
  stage = createStage(fileState);
  runtime = await stage.open({scripts: {'files:read': () => ({output: {success: true}})}});
  context = await runtime.startTask();
});
afterEach(() => stage.close());

const call = (): Promise<unknown> => runtime.executeTool('files:read', {}, context);

test.each<[string, () => Promise<unknown>]>([
  ['a call', call],
  ['a denied call', () => runtime.executeTool('files:unknown', {}, context)],
  ['a page of calls', () => runtime.evidence.readTraces({limit: 1})],
  ['a receipt', () => runtime.evidence.receipt('0')],
  ['an explanation', () => runtime.explainTool('files:read', {}, context)],
  ['a list of tools', () => runtime.listGovernedTools(context)],
  ['the events', () => runtime.events.read()],
  ['a content', () => runtime.evidence.readBlob('0')],
])('timers run while %s is awaited again and again', async (_, ask) => {
  await call();
  const ticks: number[] = [];
  const timer = setInterval(() => ticks.push(1), 1);
  const end = performance.now() + 2_000;
  while (ticks.length < 3 && performance.now() < end) await ask().catch(() => undefined);
  clearInterval(timer);
  expect(ticks.length).toBeGreaterThanOrEqual(3);
});
