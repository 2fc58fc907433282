import {afterAll, beforeAll, expect, test} from 'vitest';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench({backend: 'unsafe-host'});
});
afterAll(async () => await bench.remove());

test('a backend that cannot stage writes rejects a call that needs it, and starts nothing', async () => {
  bench.put('docs/a');
  let isOpened = false;
  const transaction = {
    open: () => {
      isOpened = true;
      throw new Error('never asked for');
    },
    adopt: () => Promise.reject(new Error('never asked for')),
  };
  const body = "const {writeFileSync} = await import('node:fs'); writeFileSync(context.workspace_root + '/docs/b', '')";
  const {output} = await bench.call(body, {write: ['docs/**'], request: {transaction}});
  expect(output.error).toMatchObject({code: 'SANDBOX_UNAVAILABLE', details: {backend: 'unsafe-host'}});
  expect([isOpened, existsSync(join(bench.workspace, 'docs/b'))]).toEqual([false, false]);
});
