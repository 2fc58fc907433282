import {expect, test} from 'vitest';
import {createTestWorkspace} from '../test-workspace.fixture.ts';
import {specSubject} from '../work-units/spec-subject.ts';
import {mergedUnits} from './merged-units.ts';

const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];

test('a work unit is merged if the main branch has the commit that began its branch', async () => {
  const {git, put, context} = await createTestWorkspace();
  const commit = async (path: string, subject: string): Promise<void> => {
    await put(path, 'x\n');
    await git('add', path);
    await git(...who, 'commit', '--quiet', '--message', subject);
  };
  expect(await mergedUnits(context(undefined))).toEqual(new Set());
  await git('init', '--quiet', '--initial-branch=main');
  expect(await mergedUnits(context(undefined))).toEqual(new Set());
  await commit('docs/tasks/WU-1.yaml', 'plan');
  await commit('docs/tasks/WU-2.yaml', specSubject('WU-2'));
  await git('checkout', '--quiet', '-b', 'lane/core/wu-3');
  await commit('docs/tasks/WU-3.yaml', specSubject('WU-3'));
  expect(await mergedUnits(context(undefined))).toEqual(new Set(['WU-2']));
});
