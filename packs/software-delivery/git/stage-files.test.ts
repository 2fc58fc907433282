import {expect, test} from 'vitest';
import {createTestWorkspace} from '../test-workspace.fixture.ts';
import {withScratchIndex} from './scratch-index.ts';
import {stageFiles, writeWorkingTree} from './stage-files.ts';

test('the tree of the working files leaves hidden files as they are in the index', async () => {
  const workspace = await createTestWorkspace();
  await workspace.git('init', '--quiet');
  await workspace.put('src/a', 'one\n');
  await workspace.put('secrets/t', 'first\n');
  await workspace.git('add', '--all');
  await workspace.put('src/a', 'two\n');
  await workspace.put('secrets/t', '');
  await workspace.put('.env', '');
  const context = workspace.context(undefined, ['src/**']);
  const shown = await withScratchIndex(context, async (env) => {
    const tree = await writeWorkingTree(context, env);
    const {stdout: names} = await context.exec('git', ['ls-tree', '-r', '-z', '--name-only', tree], {env});
    const {stdout: contents} = await context.exec('git', ['show', `${tree}:src/a`, `${tree}:secrets/t`], {env});
    return {names: names.split('\0').slice(0, -1), contents};
  });
  expect(shown).toEqual({names: ['secrets/t', 'src/a'], contents: 'two\nfirst\n'});
});

test.each(['secrets/t', '[x/t', '!a/t', '^a/t', ']a/t', '-a/t', '*/t', 'é/t', '😀/t', String.raw`\a/t`])(
  'a hidden file that is tracked in an ignored folder is left alone: %s',
  async (hidden) => {
    const workspace = await createTestWorkspace();
    await workspace.git('init', '--quiet');
    const folder = hidden.slice(0, -2);
    await workspace.put('.gitignore', `${folder.replaceAll(/[\\*?[\]!]/gu, String.raw`\$&`)}/\n`);
    await workspace.put('src/a', 'one\n');
    await workspace.put(hidden, 'first\n');
    await workspace.git('add', '--all', '--force');
    await workspace.put('src/a', 'two\n');
    await workspace.put(hidden, 'second\n');
    await stageFiles(workspace.context(undefined, ['src/**', '.gitignore']), undefined);
    expect(await workspace.git('diff', '--name-only', '-z')).toBe(`${hidden}\0`);
  },
);
