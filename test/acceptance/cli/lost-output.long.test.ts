// Output that nobody can read: a reader that has gone away is not a failure, a full disk is.
import {spawn, type StdioOptions} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, existsSync, openSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {assertBuilt, makeFolder} from '../../support/lumenflow-program.ts';

const program = fileURLToPath(new URL('../../../host/lumenflow.mjs', import.meta.url));
const folder = makeFolder();
beforeAll(assertBuilt);
afterAll(() => folder.remove());

interface Ended {
  readonly code: unknown;
  readonly text: string;
}

/** Closes the reading end of one stream at once, and returns what the other one received. */
async function run(args: readonly string[], stdio: StdioOptions, closed?: 'stdout' | 'stderr'): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {cwd: folder.path, stdio});
  if (closed !== undefined) child[closed]?.destroy();
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const [code] = (await once(child, 'close')) as [unknown];
  return {code, text};
}

test('a reader that has gone away changes no exit code', async () => {
  const noOutput = await run(['--help'], ['ignore', 'pipe', 'pipe'], 'stdout');
  expect(noOutput).toEqual({code: 0, text: ''});
  const noMessage = await run(['tols'], ['ignore', 'pipe', 'pipe'], 'stderr');
  expect(noMessage).toEqual({code: 2, text: ''});
});

test.runIf(existsSync('/dev/full'))(
  'output that a full disk rejects is a failure with a message, not a stack',
  async () => {
    const full = openSync('/dev/full', 'w');
    try {
      const {code, text} = await run(['completion', 'bash'], ['ignore', full, 'pipe']);
      expect(code).toBe(1);
      expect(text).toContain('✘ ENOSPC  the output could not be written');
      expect(text.trim().split('\n')).toHaveLength(1);
      expect((await run(['tols'], ['ignore', 'pipe', full])).code).toBe(2);
    } finally {
      closeSync(full);
    }
  },
);
