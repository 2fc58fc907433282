import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {openUserBench, teamGroup, whyNoUserBench, type UserBench} from './transactional-writes-user.fixture.ts';

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

  test('their writes are on disk until they are applied, and nothing is left behind', async () => {
    const {output, degraded} = await bench.call(
      'echo x >> docs/a; rm -r docs/deep; mkdir docs/deep; echo n > docs/deep/n',
    );
    expect(output).toMatchObject({success: true});
    expect(degraded.filter((line) => line.startsWith('writes:'))).toEqual([]);
    expect([read('docs/a'), read('docs/deep/n')]).toEqual(['a\nx\n', 'n\n']);
    expect(readdirSync(join(bench.root, 'docs/deep'))).toEqual(['n']);
    expect(existsSync(join(bench.root, '.lumenflow/transactions'))).toBe(false);
  });

  test('the user can remove everything on disk during the call, in case the host is killed', async () => {
    const call = bench.call('sleep 1');
    const waiting = 'until ls -d .lumenflow/transactions/*/work/work >/dev/null 2>&1; do sleep 0.02; done; sleep 0.2';
    expect(bench.shell(`${waiting}; find .lumenflow/transactions -type d ! -readable`)).toBe('');
    expect((await call).output).toMatchObject({success: true});
  });

  test('access lists that name others do not interfere', async () => {
    bench.shell('command -v setfacl || exit 0; setfacl -m u:1234:rwx,d:u:1234:rwx docs; setfacl -m u:1234:rw docs/a');
    const {output} = await bench.call('echo x >> docs/a; echo n > docs/n');
    expect(output).toEqual({success: true, data: {said: ''}});
    expect([read('docs/a'), read('docs/n')]).toEqual(['a\nx\n', 'n\n']);
  });

  test('writing a file of another group fails with the reason and the fix', async () => {
    bench.shell(`mkdir -p docs/team; chgrp ${teamGroup} docs/team; chmod 2775 docs/team`);
    const {output} = await bench.call('echo n > docs/team/n');
    expect(output.error?.message).toMatch(/belongs to another group.*newgrp/su);
  });

  test('renaming an existing directory fails with the reason and the fix', async () => {
    const {output} = await bench.call('perl -e \'rename("docs/deep", "docs/moved") or die "$!\\n"\'');
    expect(output.error?.message).toMatch(/cross-device.*`mv`/su);
    expect(output.error?.message).toContain('`writes: direct`');
  });

  test.each([false, true])('a mount inside the workspace is visible, read-only (as root: %s)', async (asRoot) => {
    const options = {mountOn: 'docs/deep', asRoot};
    const {output, degraded} = await bench.call('cat docs/deep/f; echo x >> /tmp/a', options);
    expect(output).toEqual({success: true, data: {said: 'mounted\n'}});
    expect(degraded.join()).toContain('`docs/deep` is a mount inside the workspace');
    expect(read('docs/deep/b')).toBe('b\n');
    const refused = await bench.call('echo x > docs/deep/f', options);
    expect(refused.output.error?.message).toMatch(/read-only.*mount inside the workspace/isu);
  });

  test('a nested call works in the view of its caller', async () => {
    const nested = 'cat docs/made/f; echo nested >> docs/a; rm -r docs/deep; mkdir docs/deep; echo n > docs/deep/n';
    const options = {handler: 'shellAroundOthers', nested};
    const {output} = await bench.call('mkdir docs/made; echo 1 > docs/made/f; echo caller >> docs/a', options);
    expect(output).toEqual({success: true, data: {said: 'a\ncaller\nnested\n'}});
    expect([read('docs/a'), read('docs/made/f')]).toEqual(['a\ncaller\nnested\n', '1\n']);
    expect(readdirSync(join(bench.root, 'docs/deep'))).toEqual(['n']);
  });

  describe('in a workspace of their team', () => {
    beforeEach(() => bench.shell(`chgrp ${teamGroup} . docs; chmod 2775 . docs`));
    afterAll(() => bench.shell('chgrp 65534 .; chmod 755 .'));

    test('a copy isolates the writes, and the receipt says why', async () => {
      const {output, changes, degraded} = await bench.call(
        'echo x >> docs/a; rm -r docs/deep; mkdir docs/new; echo 1 > docs/new/n',
      );
      expect(output).toMatchObject({success: true});
      expect(degraded.join()).toMatch(/kept in a copy.*group 4242/u);
      expect([changes?.state, changes?.entries.length]).toEqual(['applied', 5]);
      expect([read('docs/a'), read('docs/new/n')]).toEqual(['a\nx\n', '1\n']);
      expect(existsSync(join(bench.root, 'docs/deep'))).toBe(false);
    });

    test('a call that works in a copy makes nested calls that see it', async () => {
      const options = {handler: 'shellAroundOthers', nested: 'cat docs/a; echo nested >> docs/a'};
      const {output} = await bench.call('echo caller >> docs/a', options);
      expect(output).toEqual({success: true, data: {said: 'a\ncaller\nnested\n'}});
      expect(read('docs/a')).toBe('a\ncaller\nnested\n');
    });

    test('a copy is discarded when the call fails', async () => {
      const {output} = await bench.call('echo x > docs/a; exit 1');
      expect([output.error?.code, read('docs/a')]).toEqual(['SCRIPT_FAILED', 'a\n']);
    });

    test("the context's fs works on the copy", async () => {
      const {output} = await bench.call('', {handler: 'bothWays'});
      expect(output).toMatchObject({success: true, data: {seenInside: 'brokered', seenByHost: 'plain'}});
    });

    test('a call that exceeds a write limit is killed while it runs', async () => {
      const limits = {write_bytes: 4 * 1024 * 1024};
      const {output} = await bench.call('head -c 64M /dev/zero > docs/big; sleep 50', {limits});
      expect(output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'write_bytes'}});
    });
  });
});
