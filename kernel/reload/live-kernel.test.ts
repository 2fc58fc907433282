import {beforeEach, expect, test} from 'vitest';
import type {Kernel} from '../context/kernel.ts';
import {createLiveKernel, type LiveKernel} from './live-kernel.ts';
import {packOf, workspaceOf} from './reload.fixture.ts';

const [a1, a2, b1, b2] = [packOf('a', '1'), packOf('a', '2'), packOf('b', '1'), packOf('b', '2')];
let released: string[];
let live: LiveKernel;

beforeEach(() => {
  released = [];
  const first = {workspace: workspaceOf(a1, b1)} as Partial<Kernel> as Kernel;
  live = createLiveKernel(first, ({manifest, integrity}) => released.push(`${manifest.id} ${integrity}`));
});

test('what is replaced is released at once when nothing runs on it', () => {
  live.swap(workspaceOf(a2, b1));
  expect(released).toEqual(['a sha256:1']);
  expect(live.current.workspace.packs.get('a')).toBe(a2);
});

test('what runs keeps what it began on; what comes later begins on the new', () => {
  const [one, other] = [live.enter(), live.enter()];
  live.swap(workspaceOf(a2, b1));
  expect(one.kernel.workspace.packs.get('a')).toBe(a1);
  expect(live.enter().kernel.workspace.packs.get('a')).toBe(a2);
  live.leave(one);
  expect(released).toEqual([]);
  live.leave(other);
  expect(released).toEqual(['a sha256:1']);
});

test('a pack is released after the last of several versions of the workspace that has it', () => {
  const first = live.enter();
  live.swap(workspaceOf(a2, b1));
  const second = live.enter();
  live.swap(workspaceOf(a2, b2));
  live.leave(second);
  expect(released).toEqual([]);
  live.leave(first);
  expect(released).toEqual(['a sha256:1', 'b sha256:1']);
});

test('what is current is never released, however often it is left', () => {
  live.leave(live.enter());
  live.swap(workspaceOf(a2, b1));
  live.leave(live.enter());
  expect(released).toEqual(['a sha256:1']);
});
