import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {openUserBench, whyNoUserBench, type UserBench} from './held-writes-user.fixture.ts';

describe.skipIf(whyNoUserBench() !== undefined)('transactional calls of an ordinary user', () => {
  let bench: UserBench;
  beforeAll(() => {
    bench = openUserBench();
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    bench.shell('find . -mindepth 1 -delete; mkdir -p docs/deep; echo a > docs/a; echo b > docs/deep/b');
  });

  const read = (path: string): string => readFileSync(join(bench.root, path), 'utf8');

  test('their writes lie on disk until they are applied, and nothing is left behind', async () => {
    const {output, degraded} = await bench.call(
      'echo x >> docs/a; rm -r docs/deep; mkdir docs/deep; echo n > docs/deep/n',
    );
    expect(output).toMatchObject({success: true});
    expect(degraded.filter((line) => line.startsWith('writes:'))).toEqual([]);
    expect([read('docs/a'), read('docs/deep/n')]).toEqual(['a\nx\n', 'n\n']);
    expect(readdirSync(join(bench.root, 'docs/deep'))).toEqual(['n']);
    expect(existsSync(join(bench.root, '.lumenflow/transactions'))).toBe(false);
  });
});
