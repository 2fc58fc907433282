import {expect, test} from 'vitest';
import type {LoadedPack} from '../packs/loaded-pack.ts';
import type {Problem} from '../problem.ts';
import {reloadPacks, type PackReloader} from './reload-packs.ts';
import {packOf, workspaceOf} from './reload.fixture.ts';

const [a1, a2, b1, pinned] = [packOf('a', '1'), packOf('a', '2'), packOf('b', '1'), packOf('p', '1', 'pinned')];
const running = workspaceOf(a1, b1, pinned);
const problem = (severity: Problem['severity']): Problem => ({code: 'X', severity, message: 'm', where: 'w'});

interface Words {
  readonly packs: readonly LoadedPack[];
  readonly loading?: readonly Problem[];
  readonly compiling?: readonly Problem[];
}

function scripted({packs, loading = [], compiling = []}: Words) {
  const seen = {standing: [] as readonly LoadedPack[], released: [] as LoadedPack[]};
  const reloader: PackReloader = {
    async load(standing) {
      seen.standing = standing;
      return {packs, problems: loading};
    },
    compile: (compiled) => ({workspace: workspaceOf(...compiled), problems: compiling}),
    release: (pack) => seen.released.push(pack),
  };
  return {seen, reloader};
}

test('what changed is taken, what did not stays the very pack that runs, what is pinned is not loaded', async () => {
  const b1Again = packOf('b', '1');
  const {seen, reloader} = scripted({packs: [a2, b1Again, pinned], compiling: [problem('warning')]});
  const {reload, workspace} = await reloadPacks(running, reloader);
  expect(reload).toEqual({
    status: 'changed',
    change: {
      type: 'tools_changed',
      packs: [{id: 'a', version: '1.0.0', integrity: 'sha256:2', previous_integrity: 'sha256:1'}],
    },
    problems: [problem('warning')],
  });
  expect([...(workspace?.packs.values() ?? [])].map((pack) => [a2, b1, pinned].indexOf(pack))).toEqual([0, 1, 2]);
  expect(seen.standing).toEqual([pinned]);
  expect(seen.released).toEqual([b1Again]);
});

test('where nothing changed nothing is compiled, and what was loaded for it is released', async () => {
  const again = [packOf('a', '1'), packOf('b', '1')];
  const {seen, reloader} = scripted({packs: [...again, pinned], compiling: [problem('error')]});
  expect(await reloadPacks(running, reloader)).toEqual({reload: {status: 'unchanged', problems: []}});
  expect(seen.released).toEqual(again);
});

test.each([
  ['loading', {loading: [problem('error')]}],
  ['compiling', {compiling: [problem('error')]}],
])('an error of %s keeps what runs, and releases what was loaded but not what runs', async (_stage, words) => {
  const {seen, reloader} = scripted({packs: [a2, b1, pinned], ...words});
  const {reload, workspace} = await reloadPacks(running, reloader);
  expect([reload, workspace]).toEqual([{status: 'failed', problems: [problem('error')]}, undefined]);
  expect(seen.released).toEqual([a2]);
});
