import type {Writes} from '@lumenflow/schemas';
import {describe, expect, test} from 'vitest';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import type {CompiledLane, CompiledWorkspace} from '../workspace/compiled-workspace.ts';
import {toolWrites, writesOf} from './write-mode.ts';

const workspace = (agreed: boolean): CompiledWorkspace =>
  ({agreesToDirectWrites: () => agreed}) as Partial<CompiledWorkspace> as CompiledWorkspace;
const tool = (writes?: Writes): RegisteredTool => ({name: 'demo:tool', declaration: {writes}}) as RegisteredTool;
const lane = (writes?: Writes): CompiledLane => ({spec: {writes}}) as CompiledLane;

describe('how a tool writes', () => {
  test.each<readonly [tool: Writes | undefined, lane: Writes | undefined, agreed: boolean, Writes]>([
    [undefined, undefined, true, 'transactional'],
    [undefined, 'direct', true, 'transactional'],
    ['direct', undefined, false, 'transactional'],
    ['direct', undefined, true, 'direct'],
    ['direct', 'direct', false, 'direct'],
    ['direct', 'transactional', true, 'transactional'],
    ['transactional', 'direct', true, 'transactional'],
    [undefined, 'transactional', true, 'transactional'],
  ])('declared %s in a lane that says %s, agreed %s: %s', (declared, inLane, agreed, writes) => {
    expect(toolWrites(workspace(agreed), tool(declared), {lane: lane(inLane), hasViews: true})).toBe(writes);
  });

  test.each<readonly [tool: Writes | undefined, lane: Writes | undefined, agreed: boolean, Writes]>([
    [undefined, undefined, false, 'transactional'],
    [undefined, undefined, true, 'direct'],
    [undefined, 'direct', false, 'direct'],
    ['transactional', 'direct', true, 'transactional'],
    [undefined, 'transactional', true, 'transactional'],
  ])('where no view can be had, declared %s in a lane that says %s, agreed %s: %s', (...of) => {
    const [declared, inLane, agreed, writes] = of;
    expect(toolWrites(workspace(agreed), tool(declared), {lane: lane(inLane), hasViews: false})).toBe(writes);
  });
});

describe('how a call writes', () => {
  const call = (write: readonly string[], parent?: Writes): Parameters<typeof writesOf>[1] =>
    ({
      tool: tool('direct'),
      lane: lane('direct'),
      scope_enforced: {write},
      request: {parent: parent && {writes: parent}},
    }) as unknown as Parameters<typeof writesOf>[1];

  test('one made by a transactional call is transactional, even if it only reads', () => {
    expect(writesOf(workspace(true), call(['**'], 'transactional'), true)).toBe('transactional');
    expect(writesOf(workspace(true), call([], 'transactional'), true)).toBe('transactional');
    expect(writesOf(workspace(true), call(['**'], 'direct'), true)).toBe('direct');
  });
});
