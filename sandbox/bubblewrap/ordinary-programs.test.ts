// What ordinary programs need of /dev, /proc and sockets is there, though much of these is sealed.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {resolveLimits} from '../limits/resolve-limits.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {findBwrap} from './host-system.ts';

const hasBwrap = findBwrap('/usr/bin:/bin') !== undefined;
if (!hasBwrap) process.stderr.write('skipped: programs in a sandbox need bubblewrap (`apt-get install bubblewrap`)\n');

const {limits} = resolveLimits({declared: {}, timeoutMs: undefined, ceilings: {}, timeoutMsDefault: 60_000});

describe.skipIf(!hasBwrap)('under the default limits', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench();
  });
  afterAll(() => bench.remove());

  test.each([
    [
      'git',
      'cd /tmp && git init -q a && cd a && echo x > x && git add x && git -c user.name=a -c user.email=a@example commit -qm x && git clone -q . ../b && git log --format=%s',
      'x',
    ],
    [
      'npm',
      'cd /tmp && mkdir n && cd n && npm init -y >/dev/null && npm pkg set scripts.a="node -p 1+1" && npm run -s a',
      '2',
    ],
    [
      'Python',
      `command -v python3 >/dev/null || { echo ok; exit; }; python3 -c 'import pty, socket, multiprocessing as m; pty.openpty(); a, b = socket.socketpair(); a.send(b"x"); p = m.get_context("fork").Pool(2); print("ok" if p.map(abs, [-1, -2]) == [1, 2] else "")'`,
      'ok',
    ],
    [
      'Perl',
      `perl -e 'open(my $p, "+<", "/dev/ptmx") or die "ptmx: $!"; open(my $n, ">", "/dev/null") or die; open(my $r, "<", "/dev/urandom") or die; print "ok"'`,
      'ok',
    ],
    [
      'the shell',
      'echo a > /dev/shm/a && echo b > /dev/null && cat /dev/shm/a /proc/self/stat >/dev/null && cat /proc/meminfo /proc/cpuinfo >/dev/null && echo ok',
      'ok',
    ],
  ])('%s works', async (_, script, said) => {
    const {output} = await bench.call(`return await context.exec('sh', ['-c', ${JSON.stringify(script)}]);`, {limits});
    expect(output).toMatchObject({success: true, data: {exit_code: 0, stdout: expect.stringContaining(said)}});
  });

  test('nothing can be made in /dev', async () => {
    const {output} = await bench.call(
      `const codes = []; for (const path of ['/dev/new', '/dev/null/x', '/dev/pts/new']) { try { fs.writeFileSync(path, 'x'); codes.push('made'); } catch (error) { codes.push(error.code); } } return codes;`,
    );
    expect(output.data).toEqual(['EROFS', 'ENOTDIR', 'EACCES']);
  });
});
