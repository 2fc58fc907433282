import {expect, test} from 'vitest';
import {createTestWorkspace} from '../test-workspace.fixture.ts';
import {withRemote} from './with-remote.ts';

test.each(['/no/such/folder', 'file:///no/such/folder', '../no-such-folder'])(
  'the folder %s, which the sandbox does not show, is named',
  async (url) => {
    const {git, context} = await createTestWorkspace();
    await git('init', '--quiet');
    await git('remote', 'add', 'origin', url);
    const use = withRemote(context(undefined), 'origin', () => Promise.resolve('used'));
    await expect(use).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: expect.stringContaining(`the folder \`${url.replace('file://', '')}\``),
    });
    await git('remote', 'set-url', 'origin', '.');
    expect(await withRemote(context(undefined), 'origin', () => Promise.resolve('used'))).toBe('used');
  },
);
