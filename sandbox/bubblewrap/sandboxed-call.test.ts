// Calls through the real bubblewrap: what a handler can do, and what it cannot.
import {execFileSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {findBwrap} from './host-system.ts';

const hasBwrap = findBwrap('/usr/bin:/bin') !== undefined;
if (!hasBwrap) process.stderr.write('skipped: sandboxed calls need bubblewrap (`apt-get install bubblewrap`)\n');

describe.skipIf(!hasBwrap)('a sandboxed call', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench();
  });
  afterAll(() => bench.remove());
  beforeEach(() => {
    for (const name of readdirSync(bench.workspace)) rmSync(join(bench.workspace, name), {recursive: true});
  });

  const code = `const code = (f) => { try { f(); return 'ok'; } catch (error) { return error.code ?? String(error); } };`;

  test('cannot claim that its sandbox was never set up', async () => {
    const {output} = await bench.call(`console.error('bwrap: source /x: No such file or directory'); process.exit(1);`);
    expect(output.error).toMatchObject({code: 'TOOL_CRASHED'});
  });

  test('runs with nothing granted; its prints are logs', async () => {
    const result = await bench.call(
      `console.log('to stdout'); console.error('to stderr'); return {input, root: context.workspace_root};`,
      {
        input: {a: [1]},
      },
    );
    expect(result.output).toEqual({success: true, data: {input: {a: [1]}, root: bench.workspace}});
    expect(result).toMatchObject({
      stdout: 'to stdout\n',
      stderr: 'to stderr\n',
      exitCode: 0,
      timedOut: false,
      aborted: false,
      oom: false,
    });
    expect(result.enforcement).toMatchObject({
      backend: 'bubblewrap',
      tier: 'standard',
      start: 'cold',
      degraded: [],
      exit_code: 0,
    });
    expect(result.enforcement.profile_digest).toMatch(/^sha256:/);
  });

  test('writes what is granted and nothing else', async () => {
    const temporary = `/tmp/${basename(bench.folder)}-temporary`;
    bench.put('src/old.txt', 'old');
    bench.put('docs/read.txt', 'text');
    bench.put('private/key', 'key');
    const {output} = await bench.call(
      `${code} const w = context.workspace_root; return {
        granted: code(() => fs.writeFileSync(w + '/src/new.txt', 'new')),
        replaced: code(() => fs.renameSync(w + '/src/new.txt', w + '/src/old.txt')),
        readOnly: code(() => fs.writeFileSync(w + '/docs/read.txt', 'x')),
        read: fs.readFileSync(w + '/docs/read.txt', 'utf8'),
        elsewhere: code(() => fs.writeFileSync(w + '/new.txt', 'x')),
        unseen: code(() => fs.readFileSync(w + '/private/key')),
        root: code(() => fs.writeFileSync('/new.txt', 'x')),
        system: code(() => fs.writeFileSync('/usr/new.txt', 'x')),
        shadow: code(() => fs.readFileSync('/etc/shadow')),
        temporary: code(() => fs.writeFileSync(input.temporary, 'x')),
        home: code(() => fs.writeFileSync(process.env.HOME + '/x', 'x')),
      };`,
      {write: ['src/**'], read: ['docs/**'], input: {temporary}},
    );
    expect(output.data).toEqual({
      granted: 'ok',
      replaced: 'ok',
      readOnly: 'EROFS',
      read: 'text',
      elsewhere: 'EROFS',
      unseen: 'ENOENT',
      root: 'EROFS',
      system: 'EROFS',
      shadow: 'ENOENT',
      temporary: 'ok',
      home: 'ok',
    });
    expect(readFileSync(join(bench.workspace, 'src/old.txt'), 'utf8')).toBe('new');
    // What it wrote into its own /tmp is not in the host's.
    expect(existsSync(temporary)).toBe(false);
  });

  test('hides existing secrets and state, and leaves nothing behind for missing ones', async () => {
    const look = `${code} const w = context.workspace_root; return [code(() => fs.readFileSync(w + '/.env')), code(() => fs.writeFileSync(w + '/sub/.env', 'x')), code(() => fs.readdirSync(w + '/.lumenflow/events')), code(() => fs.writeFileSync(w + '/.lumenflow/x', ''))];`;
    bench.put('.env', 'SECRET=1');
    bench.put('sub/.env', 'SECRET=2');
    bench.put('.lumenflow/events/1', 'event');
    expect((await bench.call(look, {write: ['**']})).output.data).toEqual(['EACCES', 'EACCES', 'ENOENT', 'EROFS']);
    expect(readFileSync(join(bench.workspace, 'sub/.env'), 'utf8')).toBe('SECRET=2');
    for (const name of readdirSync(bench.workspace)) rmSync(join(bench.workspace, name), {recursive: true});
    bench.put('src/a');
    const bare = await bench.call(`return fs.readdirSync(context.workspace_root)`, {
      write: ['**'],
      denyOverlays: ['absent', 'no/where'],
      home: bench.workspace,
    });
    expect(bare.output.data).toEqual(['src']);
    expect(readdirSync(bench.workspace)).toEqual(['src']);
  });

  test('trusted files cannot be changed, moved or replaced', async () => {
    execFileSync('git', ['init', '-q', bench.workspace], {env: {PATH: '/usr/bin:/bin'}});
    bench.put('.git/hooks/pre-commit', 'original');
    bench.put('pkg/.npmrc', 'original');
    const attack = `${code} process.chdir(context.workspace_root); return {
      write: code(() => fs.writeFileSync('.git/hooks/pre-commit', 'x')),
      add: code(() => fs.writeFileSync('.git/hooks/post-checkout', 'x')),
      config: code(() => fs.appendFileSync('.git/config', 'x')),
      rename: code(() => fs.renameSync('.git', 'moved')),
      remove: code(() => fs.rmdirSync('.git/hooks')),
      parent: code(() => fs.renameSync('pkg', 'moved')),
      replace: code(() => { fs.writeFileSync('new', ''); fs.renameSync('new', 'pkg/.npmrc'); }),
      object: code(() => fs.writeFileSync('.git/objects/x', 'x')),
    };`;
    const {output, enforcement} = await bench.call(attack, {write: ['**']});
    expect(output.data).toEqual({
      write: 'EROFS',
      add: 'EROFS',
      config: 'EROFS',
      rename: 'EBUSY',
      remove: 'EBUSY',
      parent: 'EBUSY',
      replace: expect.stringMatching(/EBUSY|EXDEV/),
      object: 'ok',
    });
    expect(readFileSync(join(bench.workspace, '.git/hooks/pre-commit'), 'utf8')).toBe('original');
    expect(enforcement.degraded).toEqual([]);
  });

  test('a trusted file created during the call is named', async () => {
    const {enforcement} = await bench.call(`fs.writeFileSync(context.workspace_root + '/.npmrc', 'x')`, {
      write: ['**'],
    });
    expect(enforcement.degraded).toEqual([`trusted path created during the call: ${bench.workspace}/.npmrc`]);
  });

  test('git works in a granted repository', async () => {
    execFileSync('git', ['init', '-q', bench.workspace], {env: {PATH: '/usr/bin:/bin'}});
    bench.put('a.txt', 'text');
    const {output} = await bench.call(
      `const git = (...args) => context.exec('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args]);
       await git('add', '.'); const commit = await git('commit', '-q', '-m', 'first'); const log = await git('log', '--format=%s');
       return [commit.exit_code, commit.stderr, log.stdout];`,
      {write: ['**']},
    );
    expect(output.data).toEqual([0, '', 'first\n']);
  });

  test('commands run in the same sandbox: no descriptor, variable or process of the host', async () => {
    process.env['LUMENFLOW_TEST_SECRET'] = 'leak';
    const {output} = await bench.call(
      `const sh = async (script, options) => (await context.exec('sh', ['-c', script], options)).stdout.trim();
       return {
         env: await sh('env | cut -d= -f1 | sort | tr "\\\\n" " "'), fds: await sh('ls /proc/self/fd | tr "\\\\n" " "'), init: await sh('tr "\\\\0" " " < /proc/1/environ; tr "\\\\0" " " < /proc/1/cmdline'),
         processes: (await sh('ls /proc | grep -c "^[0-9]"')), id: await sh('whoami; hostname'), given: await sh('cat; echo $X', {stdin: 'in', env: {X: 'y'}}),
         missing: await context.exec('no-such-command', []), refused: await context.exec('/etc/passwd', []), slow: await context.exec('sh', ['-c', 'sleep 60 & sleep 60'], {timeout_ms: 100}), cut: await context.exec('sh', ['-c', 'head -c 5000000 /dev/zero'], {max_bytes: 3}),
         userns: await context.exec('unshare', ['-U', 'true']), mount: await context.exec('mount', ['-t', 'tmpfs', 'x', '/tmp']),
       };`,
    );
    delete process.env['LUMENFLOW_TEST_SECRET'];
    expect(output.data).toMatchObject({
      env: 'GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 GIT_TERMINAL_PROMPT HOME LANG PATH PWD TERM TMPDIR TZ',
      fds: '0 1 2 3',
      id: 'tool\nsandbox',
      given: 'iny',
      missing: {
        exit_code: 127,
        stderr: expect.stringMatching(/^`no-such-command`, its interpreter .* does not exist in the sandbox .*ENOENT/u),
      },
      refused: {exit_code: 126, stderr: expect.stringMatching(/^`\/etc\/passwd` is not an executable file/u)},
      slow: {timed_out: true, exit_code: 137},
      cut: {truncated: true, stdout: '\0\0\0'},
      userns: {exit_code: 1, stderr: expect.stringContaining('not permitted')},
      mount: {exit_code: 32},
    });
    const {init, processes} = output.data as {init: string; processes: string};
    expect(init).not.toMatch(/leak|SECRET|setenv|PATH/);
    expect(Number(processes)).toBeLessThan(10);
  });

  test('the kernel is not accessible', async () => {
    const {output} = await bench.call(
      `${code} return [code(() => fs.writeFileSync('/proc/sys/vm/swappiness', '10')), code(() => fs.writeFileSync('/proc/sys/kernel/core_pattern', '|/x')), code(() => fs.writeFileSync('/proc/sysrq-trigger', 'h')), code(() => fs.readdirSync('/sys')), code(() => fs.readFileSync('/dev/vda'))];`,
    );
    for (const answer of output.data as string[]) expect(['EROFS', 'EACCES', 'ENOENT', 'EPERM']).toContain(answer);
  });

  test('without a network every connection fails immediately, including to the loopback of the host', async () => {
    const {createServer} = await import('node:net');
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const {port} = server.address() as {port: number};
    const connect = `const net = await import('node:net');
      const reach = (host, port) => new Promise((done) => net.connect({host, port}).on('error', (error) => done(error.code)).on('data', () => done('reached')));
      return [await reach('127.0.0.1', ${port}), await reach('192.0.2.1', 80), await reach('example.invalid', 80)];`;
    expect((await bench.call(connect)).output.data).toEqual([
      'ECONNREFUSED',
      'ENETUNREACH',
      expect.stringMatching(/EAI_AGAIN|ENOTFOUND/),
    ]);
    server.close();
  });

  test('an allowlist that cannot be enforced is refused, not weakened', async () => {
    const {output, enforcement, exitCode} = await bench.call('return 1', {allow: ['api.test']});
    expect(output).toMatchObject({
      success: false,
      error: {code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('allowlist')},
    });
    expect(enforcement.tier).toBe('none');
    expect(exitCode).toBeUndefined();
  });

  test('a Node outside the system directories is mounted', async () => {
    const nodePath = join(bench.folder, 'some where', 'node');
    mkdirSync(dirname(nodePath));
    copyFileSync(process.execPath, nodePath);
    const other = await createBench({nodePath});
    const {output} = await other.call(
      `return [process.execPath, (await context.exec('node', ['-p', 'process.execPath'])).stdout.trim()];`,
    );
    await other.remove();
    expect(output.data).toEqual([nodePath, nodePath]);
  });
});
