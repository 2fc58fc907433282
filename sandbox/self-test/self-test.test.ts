// The self-test detects a weakened sandbox before the first call.
import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {ok} from '../outcome.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import type {WarmPoolLimits} from '../warm-pool/stock.ts';
import {createSelfTest, type RunTrial} from './create-self-test.ts';

const bwrap = findBwrap('/usr/bin:/bin');

describe.skipIf(bwrap === undefined)('the self-test', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench();
    bench.put('.env', 'secret');
  });
  afterAll(() => bench.remove());

  /** A bwrap that drops some of its options: they arrive through a descriptor, which is read and rewritten. */
  async function withWeakened(name: string, without: string, warm?: WarmPoolLimits): Promise<Bench> {
    const folder = join(bench.folder, name);
    mkdirSync(folder);
    const program = join(folder, 'bwrap');
    writeFileSync(
      program,
      `#!/usr/bin/perl
use Fcntl;
if ($ARGV[0] ne '--args') { exec '${bwrap}', @ARGV; }
open(my $in, '<&=', $ARGV[1]); local $/; my @options = split /\\0/, <$in>;
${without}
open(my $out, '+>', undef); print $out join('', map {"$_\\0"} @options); seek($out, 0, 0); $out->flush;
fcntl($out, F_SETFD, 0); $ARGV[1] = fileno($out);
exec '${bwrap}', @ARGV;
`,
    );
    chmodSync(program, 0o755);
    return await createBench({searchPath: folder, ...(warm && {warm})});
  }

  test.each([
    ['shares processes', `@options = grep {$_ ne '--unshare-pid'} @options;`, 'shares the pid namespace'],
    [
      'has no filter',
      `for my $i (0..$#options) { if ($options[$i] eq '--seccomp') { splice(@options, $i, 2); last } }`,
      'no system call filter applies to it',
    ],
    ['mounts the host', `push @options, '--bind', '/tmp', '/tmp';`, 'read a file that was not granted'],
  ])('a sandbox that %s runs no call', async (name, without, message) => {
    const weak = await withWeakened(name, without);
    const marker = join(weak.workspace, 'ran');
    const {output, enforcement} = await weak.call(`fs.writeFileSync(${JSON.stringify(marker)}, '')`, {write: ['**']});
    expect(output.error).toMatchObject({code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining(message)});
    expect(enforcement.tier).toBe('none');
    expect(existsSync(marker)).toBe(false);
    await weak.remove();
  });

  test('a sandbox that passes is tested once per profile, and the receipt names the test', async () => {
    const profile = await bench.profile({read: ['**']});
    const [first, second] = [
      await bench.call('return 1', {request: {profile}}),
      await bench.call('return 2', {request: {profile}}),
    ];
    expect(first.enforcement.self_test).toMatch(/^[0-9a-f]{64}$/);
    expect(second.enforcement.self_test).toBe(first.enforcement.self_test);
  });

  test('no spare is started under a profile whose test failed', async () => {
    const weak = await withWeakened('weak-and-warm', `@options = grep {$_ ne '--unshare-pid'} @options;`, {});
    const entry = weak.handler('return 1;');
    for (let call = 0; call < 3; call += 1) {
      const {output} = await weak.run(entry, {request: {warm: {packHash: 'sha256:1'}}});
      expect(output.error?.code).toBe('SANDBOX_UNAVAILABLE');
    }
    expect(weak.sandbox.warmPool()).toMatchObject({spares: 0, starting: 0, refills: 0, hits: 0});
    await weak.remove();
  });

  test('a spare relies on the test of its profile, and never on another', async () => {
    const warm = await createBench({warm: {}});
    const entry = warm.handler('return 1;');
    const call = (read: readonly string[]) => warm.run(entry, {read, request: {warm: {packHash: 'sha256:1'}}});
    warm.put('one/file');
    const cold = await call([]);
    await expect.poll(() => warm.sandbox.warmPool()?.spares).toBeGreaterThan(0);
    const [spared, other] = [await call([]), await call(['one/**'])];
    expect([cold, spared, other].map(({enforcement}) => enforcement.start)).toEqual(['cold', 'warm', 'cold']);
    expect(spared.enforcement.self_test).toBe(cold.enforcement.self_test);
    expect(other.enforcement.self_test).toMatch(/^[0-9a-f]{64}$/);
    expect(other.enforcement.self_test).not.toBe(cold.enforcement.self_test);
    await warm.remove();
  });

  test('a profile is tested again for another user', async () => {
    const profile = await bench.profile({});
    const users: (number | undefined)[] = [];
    const run: RunTrial = async () => {
      users.push(process.geteuid?.());
      return ok('tried\n');
    };
    const [selfTest, now] = [createSelfTest(), process.geteuid?.() ?? 0];
    const digests: unknown[] = [];
    const asked = vi.spyOn(process, 'geteuid');
    for (const uid of [now, now, now + 1, now]) {
      asked.mockReturnValue(uid);
      digests.push(await selfTest.passed(profile, run));
    }
    asked.mockRestore();
    expect(users).toEqual([now, now + 1]);
    expect(digests[0]).toEqual(digests[3]);
    expect(digests[2]).not.toEqual(digests[0]);
  });

  test('a later host uses what was kept for the same key; a failure is never kept', async () => {
    vi.stubEnv('TMPDIR', bench.folder);
    const profile = await bench.profile({});
    const answers = ['it got out\ntried\n', 'cut short', 'tried\n', 'tried\n', 'tried\n'];
    const run: RunTrial = async () => ok(answers.shift() ?? '');
    const inNewHost = async (trialKey?: readonly string[]): Promise<boolean> =>
      (await createSelfTest().passed(profile, run, {trialKey})).ok;
    const passed: boolean[] = [];
    for (const key of [['a'], ['a'], ['a'], ['a'], ['b'], undefined]) passed.push(await inNewHost(key));
    vi.unstubAllEnvs();
    expect(passed).toEqual([false, false, true, true, true, true]);
    expect(answers).toEqual([]);
  });

  test('a trial that could not run is repeated; one that found an escape is not', async () => {
    const profile = await bench.profile({});
    const answers: (string | Error)[] = [new Error('busy'), 'cut short', 'it got out\ntried\n', 'tried\n'];
    const run: RunTrial = async () => {
      const answer = answers.shift() ?? '';
      if (typeof answer !== 'string') throw answer;
      return ok(answer);
    };
    const selfTest = createSelfTest();
    expect(await selfTest.passed(profile, run)).toMatchObject({problem: {message: expect.stringContaining('`busy`')}});
    expect(await selfTest.passed(profile, run)).toMatchObject({
      problem: {message: expect.stringContaining('`cut short`')},
    });
    for (let call = 0; call < 2; call += 1) {
      expect(await selfTest.passed(profile, run)).toMatchObject({
        problem: {message: expect.stringContaining('it got out')},
      });
    }
    expect(answers).toEqual(['tried\n']);
  });
});
