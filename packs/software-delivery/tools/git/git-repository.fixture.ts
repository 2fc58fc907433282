// A repository in a temporary workspace, with a commit made by the tools.
import {createTestWorkspace, type TestWorkspace} from '../../test-workspace.fixture.ts';
import {gitAdd} from './add.ts';
import {gitCommit} from './commit.ts';

export const author: {readonly name: string; readonly email: string} = {name: 'Ada Löve', email: 'ada@example.org'};
export const config: {readonly git: {readonly author: typeof author}} = {git: {author}};

export async function createRepository(): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  await workspace.git('init', '--quiet', '--initial-branch=main');
  return workspace;
}

export async function commitAll(workspace: TestWorkspace, message: string): Promise<string> {
  const context = workspace.context(config);
  await gitAdd.run({all: true}, context);
  const output = await gitCommit.run({message}, context);
  return 'commit' in output ? (output.commit?.sha ?? '') : '';
}
