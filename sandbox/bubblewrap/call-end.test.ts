// How calls through the real bubblewrap end: by a result, by their limits, by a crash, by a broken wire.
import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import type {WireMessage} from '@lumenflow/schemas';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {findBwrap} from './host-system.ts';

const hasBwrap = findBwrap('/usr/bin:/bin') !== undefined;
if (!hasBwrap) process.stderr.write('skipped: sandboxed calls need bubblewrap (`apt-get install bubblewrap`)\n');

describe.skipIf(!hasBwrap)('the end of a sandboxed call', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench();
  });
  afterAll(() => bench.remove());
  beforeEach(() => {
    for (const name of readdirSync(bench.workspace)) rmSync(join(bench.workspace, name), {recursive: true});
  });

  const code = `const code = (f) => { try { f(); return 'ok'; } catch (error) { return error.code ?? String(error); } };`;

  test('a large output is cut while it runs', async () => {
    const result = await bench.call(
      `const line = 'x'.repeat(1 << 20); for (let i = 0; i < 200; i += 1) fs.writeSync(1, line); return 'done';`,
      {limits: {output_bytes: 1000}},
    );
    expect(result.output).toEqual({success: true, data: 'done'});
    expect(result).toMatchObject({truncated: true, stdout: 'x'.repeat(1000)});
  });

  test('a handler that never returns is killed with all its processes', async () => {
    const result = await bench.call(
      `process.on('SIGTERM', () => {}); const {spawn} = await import('node:child_process');
       spawn('sh', ['-c', 'trap "" TERM; setsid sh -c "trap \\\\"\\\\" TERM; while :; do echo alive > ' + context.workspace_root + '/beat; sleep 0.02; done"'], {detached: true, stdio: 'ignore'});
       context.progress('up'); for (;;) {}`,
      {write: ['**'], wallMs: 4000},
    );
    expect(result.output.error).toEqual({code: 'TOOL_TIMEOUT', message: '`bench:run` did not finish within 4000 ms'});
    expect(result).toMatchObject({timedOut: true, aborted: false});
    const beat = statSync(join(bench.workspace, 'beat')).mtimeMs;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(statSync(join(bench.workspace, 'beat')).mtimeMs).toBe(beat);
  });

  test('a cancelled handler may clean up; the call is still cancelled', async () => {
    const controller = new AbortController();
    const result = await bench.call(
      `const cancelled = new Promise((done) => context.signal.addEventListener('abort', done)); context.progress('ready');
       await cancelled; fs.writeFileSync(context.workspace_root + '/cleaned', ''); return 1;`,
      {write: ['**'], request: {signal: controller.signal, onMessage: () => controller.abort()}},
    );
    expect(result.output.error?.code).toBe('TOOL_CANCELLED');
    expect(result.aborted).toBe(true);
    expect(existsSync(join(bench.workspace, 'cleaned'))).toBe(true);
  });

  test('progress, logs and requests reach the host; answers return', async () => {
    const seen: WireMessage[] = [];
    const result = await bench.call(
      `context.progress({step: 1}); context.log.warn('careful', {n: 2}); return context.callTool('other:tool', {q: 1});`,
      {
        request: {
          onMessage: (message, reply) => {
            seen.push(message);
            if (message.type === 'request')
              void reply({type: 'response', id: message.id, value: {success: true, data: 42}});
          },
        },
      },
    );
    expect(result.output).toEqual({success: true, data: 42});
    expect(seen).toEqual([
      {type: 'progress', payload: {step: 1}},
      {type: 'log', level: 'warn', message: 'careful', fields: {n: 2}},
      {type: 'request', id: 1, method: 'call_tool', params: {name: 'other:tool', input: {q: 1}}},
    ]);
  });

  test.each([
    ['garbled', `fs.writeSync(3, Buffer.from([0, 0, 0, 2, 120, 120]))`, 'is not a known message'],
    ['oversized', `fs.writeSync(3, Buffer.from([255, 255, 255, 255]))`, 'exceeds the bound'],
    [
      'wrong',
      `const f = Buffer.from('{"type":"result","output":{"success":true,"more":1}}'); fs.writeSync(3, Buffer.concat([Buffer.from([0, 0, 0, f.length]), f]))`,
      'is invalid at',
    ],
    [
      'misdirected',
      `const f = Buffer.from('{"type":"cancel","reason":"x"}'); fs.writeSync(3, Buffer.concat([Buffer.from([0, 0, 0, f.length]), f]))`,
      'only the host sends messages of type',
    ],
  ])('a %s frame fails that call only', async (_, body, problem) => {
    const [broken, sound] = await Promise.all([
      bench.call(`${body}; await new Promise(() => setTimeout(() => {}, 60_000));`),
      bench.call('return 1'),
    ]);
    expect(broken.output.error).toMatchObject({code: 'TOOL_CRASHED', message: expect.stringContaining(problem)});
    expect(sound.output).toEqual({success: true, data: 1});
  });

  test.each([
    ['values', '[],', 250_000],
    ['names', '"":0,', 50_000],
  ])('a frame with too many %s ends its call as an output with them does', async (name, part, bound) => {
    const forged = `const f = Buffer.from('{"type":"progress","payload":' + (${name === 'names'} ? '{' : '[') + '${part}'.repeat(8_000_000 / ${part.length}));
      const h = Buffer.alloc(4); h.writeUInt32BE(60_000_000); fs.writeSync(3, h);
      for (let at = 0; at < f.length;) { try { at += fs.writeSync(3, f, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; await new Promise((next) => setTimeout(next, 1)); } }
      await new Promise(() => setTimeout(() => {}, 60_000));`;
    const [broken, sound] = await Promise.all([bench.call(forged), bench.call('return 1')]);
    expect(broken.output.error).toMatchObject({code: 'INVALID_OUTPUT', details: {limit: `output_${name}`, bound}});
    expect(sound.output).toEqual({success: true, data: 1});
  });

  test('frames on stdout are ignored', async () => {
    const forged = `const f = Buffer.from('{"type":"result","output":{"success":true,"data":"forged"}}'); fs.writeSync(1, Buffer.concat([Buffer.from([0, 0, 0, f.length]), f])); throw new Error('real');`;
    expect((await bench.call(forged)).output).toMatchObject({
      success: false,
      error: {message: expect.stringContaining('real')},
    });
  });

  test.each([
    [
      'kills itself',
      `process.kill(process.pid, 'SIGKILL'); await new Promise(() => setTimeout(() => {}, 60_000));`,
      'ended with exit code 137',
    ],
  ])('a handler that %s is a crash with its traces', async (_, body, text) => {
    const result = await bench.call(body);
    expect(result.output.error).toMatchObject({
      code: 'TOOL_CRASHED',
      message: `\`bench:run\` ${text} before it returned a result`,
    });
    expect(result.output.error?.details).toHaveProperty('stderr');
    expect(result.oom).toBe(false);
  });

  test.each([
    ['is rejected and not awaited', `void Promise.reject(new Error('late'));`],
    ['is thrown in a timer', `setTimeout(() => { throw new Error('late'); });`],
  ])('an error that %s is the answer, with its stack', async (_, body) => {
    const {output, stderr} = await bench.call(`${body} await new Promise(() => setTimeout(() => {}, 60_000));`);
    expect(output.error).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      message: 'an error outside the call; is an `await` missing? late',
      details: {stack: expect.stringMatching(/^Error: late\n +at /u)},
    });
    expect(stderr).toContain('Error: late');
  });

  test('an exit is a crash that names its status and position', async () => {
    const {output} = await bench.call('console.log("so far"); process.exit(7)');
    expect(output.error).toMatchObject({
      code: 'TOOL_CRASHED',
      message: 'the handler called `process.exit(7)` before it returned a result',
      details: {stack: expect.stringContaining('process.exit')},
    });
  });

  test('limits bind the handler', async () => {
    const {output} = await bench.call(
      `${code} return [code(() => fs.writeFileSync('/tmp/big', Buffer.alloc(2000))), code(() => { for (;;) fs.openSync('/dev/null'); })];`,
      {limits: {file_size_bytes: 1000, open_files: 64}},
    );
    expect(output.data).toEqual(['EFBIG', 'EMFILE']);
    const full = await bench.call(`${code} return code(() => fs.writeFileSync('/tmp/big', Buffer.alloc(1e6)))`, {
      limits: {tmp_bytes: 100_000},
    });
    expect(full.output.data).toBe('ENOSPC');
  });

  test('a mount that became a symlink before the start is refused', async () => {
    bench.put('src/a');
    const profile = await bench.profile({write: ['src/**']});
    rmSync(join(bench.workspace, 'src'), {recursive: true});
    execFileSync('ln', ['-s', '/etc', join(bench.workspace, 'src')]);
    const {output} = await bench.call('return 1', {request: {profile}});
    expect(output.error).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('now resolves to `/etc`'),
    });
  });

  test('closing ends the calls that run', async () => {
    const other = await createBench();
    const running = other.call(`context.progress(1); await new Promise(() => setTimeout(() => {}, 60_000));`, {
      request: {onMessage: () => void other.sandbox.close()},
    });
    expect((await running).output.error?.code).toBe('TOOL_CANCELLED');
    await other.remove();
  });
});
