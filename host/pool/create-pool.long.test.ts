import {afterEach, describe, expect, test} from 'vitest';
import {
  call,
  cancelledOnceStarted,
  closePools,
  echo,
  handlers,
  misbehaving,
  openPool,
  runWithMessages,
  sleep,
} from './fixtures/pool-calls.ts';
import type {PoolCall} from './pooled-call.ts';

afterEach(closePools);

describe('running handlers', () => {
  test("returns each call's own result", async () => {
    const pool = openPool();
    const answers = await Promise.all(Array.from({length: 200}, async (_, i) => await pool.run(echo({i}))));
    expect(answers).toEqual(Array.from({length: 200}, (_, i) => ({success: true, data: {i}})));
  });

  test("uses all its threads, and hides the host's environment from them", async () => {
    const pool = openPool();
    const answers = await Promise.all(Array.from({length: 20}, async () => await pool.run(sleep(20))));
    expect(new Set(answers.map(({data}) => (data as {thread: number}).thread)).size).toBe(2);
    expect((await pool.run(call(`${handlers}#whoami`))).data).toMatchObject({env: []});
  });

  test('bounds an output in the thread, also of a call that is not the last of its batch', async () => {
    const pool = openPool({threadsMin: 1, threadsMax: 1});
    const [first, wide, next, last] = await Promise.all([
      pool.run(echo(1)),
      pool.run(call(`${handlers}#wide`, {names: 50_001})),
      pool.run(call(`${handlers}#wide`, {names: 50_000})),
      pool.run(call(`${handlers}#wide`, {names: 60_000})),
    ]);
    expect(first).toEqual({success: true, data: 1});
    expect(Object.keys(next?.data ?? {})).toHaveLength(50_000);
    for (const output of [wide, last]) {
      expect(output).toEqual({
        success: false,
        error: {
          code: 'INVALID_OUTPUT',
          message: expect.stringContaining('more than 50000 names of properties'),
          details: {limit: 'output_names', bound: 50_000},
        },
      });
    }
  });

  test('delivers all messages in order before the result', async () => {
    const pool = openPool();
    for (let i = 0; i < 50; i++) {
      expect(await runWithMessages(pool, call(`${handlers}#report`))).toEqual({
        output: {success: true, data: 'done'},
        messages: [
          {type: 'progress', payload: {percent: 10}},
          {type: 'log', level: 'info', message: 'working', fields: {step: 1}},
          {type: 'progress', payload: {percent: 100}},
        ],
      });
    }
  });

  test('answers requests of the handler', async () => {
    const onMessage: PoolCall['onMessage'] = (message, reply) => {
      if (message.type === 'request')
        void reply({type: 'response', id: message.id, value: {success: true, data: message.params}});
    };
    const output = await openPool().run(call(`${handlers}#child`, {name: 'a:b', input: 1}, {onMessage}));
    expect(output).toEqual({success: true, data: {name: 'a:b', input: 1}});
  });

  test('calls that wait for nested calls do not starve them', async () => {
    const pool = openPool();
    const nested = (depth: number): PoolCall =>
      call(
        `${handlers}#child`,
        {name: 'a:b', input: null},
        {
          depth,
          onMessage(message, reply) {
            if (message.type !== 'request') return;
            const child = depth === 3 ? {...echo('leaf'), depth: 4} : nested(depth + 1);
            void pool.run(child).then((value) => reply({type: 'response', id: message.id, value}));
          },
        },
      );
    const answers = await Promise.all(Array.from({length: 12}, async () => await pool.run(nested(0))));
    expect(answers).toEqual(answers.map(() => ({success: true, data: 'leaf'})));
    expect((await pool.run({...echo(1), depth: 9})).error?.code).toBe('LIMIT_EXCEEDED');
  });

  test("a handler's printed output becomes its log", async () => {
    const {output, messages} = await runWithMessages(openPool(), call(`${handlers}#print`));
    expect(output).toEqual({success: true, data: 2});
    expect(messages.map((message) => message.type === 'log' && [message.level, message.message])).toEqual([
      ['info', 'by console { a: 1 }'],
      ['warn', 'to stderr'],
      ['info', 'by stream'],
      ['info', 'by fs.writeSync'],
      ['warn', 'by a named import'],
      ['info', 'by bytes'],
      ['info', 'by fs.write'],
      ['info', 'with a callback'],
      ['info', 'ü'],
    ]);
  });

  test('printed output is bounded', async () => {
    const {messages} = await runWithMessages(openPool(), call(`${handlers}#chatter`));
    expect(JSON.stringify(messages).length).toBeLessThan(300_000);
    expect(messages.at(-1)).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('printed more than its limit'),
    });
  });

  test('exec is refused', async () => {
    expect((await openPool().run(call(`${handlers}#exec`))).error?.code).toBe('EXEC_NEEDS_SANDBOX');
  });
});

describe('stopping', () => {
  test('a handler that honours the signal keeps its thread', async () => {
    const pool = openPool({threadsMin: 1, threadsMax: 1, graceMs: 10_000});
    const before = await pool.run(call(`${handlers}#whoami`));
    const {output, messages} = await runWithMessages(pool, call(`${handlers}#honours`, {}, {timeoutMs: 50}));
    expect(output.error).toMatchObject({code: 'TOOL_TIMEOUT', details: {timeout_ms: 50}});
    expect(messages).toMatchObject([{message: 'cleaned up'}]);
    expect(await pool.run(call(`${handlers}#whoami`))).toEqual(before);
  });

  test.each(['spin', 'never'])('%s: its thread is killed and the next call runs', async (name) => {
    const pool = openPool({threadsMin: 1, threadsMax: 1});
    const stuck = pool.run(call(`${misbehaving}#${name}`, {}, {timeoutMs: 100}));
    const next = pool.run(echo('next'));
    expect((await stuck).error?.code).toBe('TOOL_TIMEOUT');
    expect((await next).data).toBe('next');
  });

  test.each(['spin', 'never'])('a cancelled %s is TOOL_CANCELLED', async (name) => {
    const output = await openPool().run(cancelledOnceStarted(`${misbehaving}#${name}`));
    expect(output.error).toEqual({code: 'TOOL_CANCELLED', message: 'the call was cancelled'});
  });

  test('a call that is cancelled before it starts never runs', async () => {
    const pool = openPool({threadsMin: 1, threadsMax: 1});
    const controller = new AbortController();
    const first = pool.run(sleep(100));
    let ran = false;
    const waiting = pool.run(
      call(`${handlers}#report`, {}, {signal: controller.signal, onMessage: () => (ran = true)}),
    );
    controller.abort();
    expect((await waiting).error?.code).toBe('TOOL_CANCELLED');
    expect((await pool.run({...echo(1), signal: controller.signal})).error?.code).toBe('TOOL_CANCELLED');
    expect((await first).success).toBe(true);
    expect(ran).toBe(false);
  });

  test('the queue is bounded in length and in time', async () => {
    const pool = openPool({threadsMin: 1, threadsMax: 1, queueMax: 2});
    const running = pool.run(sleep(200));
    const impatient = pool.run({...echo(1), timeoutMs: 20});
    const patient = pool.run(echo(2));
    const refused = await pool.run(echo(3));
    expect(refused.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {retryable: true}});
    expect((await impatient).error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {retryable: true}});
    expect((await patient).data).toBe(2);
    expect((await running).success).toBe(true);
  });

  test('closing cancels running and queued calls, and rejects new ones', async () => {
    const pool = openPool({threadsMin: 1, threadsMax: 1});
    const calls = [pool.run(call(`${misbehaving}#spin`)), pool.run(echo(1))];
    await pool.close();
    calls.push(pool.run(echo(2)));
    for (const output of await Promise.all(calls)) {
      expect(output.error).toMatchObject({code: 'TOOL_CANCELLED', message: 'the host is closing'});
    }
  });
});

describe('crashes', () => {
  test.each([
    ['exit', 'exit code 7'],
    ['uncaught', 'thrown in a timer'],
    ['unhandled', 'nobody catches this'],
    ['outOfMemory', 'ran out of memory (64 MiB)'],
  ])('%s is TOOL_CRASHED, and its neighbours do not notice', async (name, message) => {
    const pool = openPool({resourceLimits: {maxOldGenerationSizeMb: 64}});
    const neighbours = Array.from({length: 40}, async (_, i) => await pool.run(i % 2 === 0 ? echo('ok') : sleep(2)));
    const crash = await pool.run(call(`${misbehaving}#${name}`, {code: 7}));
    const after = Array.from({length: 40}, async () => await pool.run(echo('ok')));
    expect(crash.error?.code).toBe('TOOL_CRASHED');
    expect(crash.error?.message).toContain(message);
    for (const output of await Promise.all([...neighbours, ...after])) expect(output.success).toBe(true);
  });

  test('messages logged before the crash are kept', async () => {
    const {output, messages} = await runWithMessages(openPool(), call(`${misbehaving}#exitAfterLog`));
    expect(output.error?.message).toBe('the handler ended its thread with exit code 3');
    expect(messages).toMatchObject([{type: 'log', message: 'last words'}]);
  });

  test.each(['leaveThrow', 'leaveRejection', 'leaveExit', 'leavePrint'])(
    '%s: what a handler left behind does not reach the next call',
    async (name) => {
      const problems: string[] = [];
      const pool = openPool({threadsMin: 1, threadsMax: 1, onProblem: (problem) => problems.push(problem)});
      const before = await pool.run(call(`${handlers}#whoami`));
      expect((await pool.run(call(`${misbehaving}#${name}`))).success).toBe(true);
      const {output, messages} = await runWithMessages(pool, sleep(50));
      expect(output.success).toBe(true);
      expect(messages).toEqual([]);
      expect(await pool.run(call(`${handlers}#whoami`))).toEqual(before);
      expect(problems).toEqual([]);
    },
  );

  test('a pool survives all of them concurrently, under load', async () => {
    const pool = openPool({resourceLimits: {maxOldGenerationSizeMb: 64}});
    const bad = ['exit', 'uncaught', 'unhandled', 'spin', 'never'].map((name) => `${misbehaving}#${name}`);
    const outcomes = await Promise.all(
      Array.from({length: 100}, async (_, i) => {
        const entry = i % 10 === 0 ? bad[(i / 10) % bad.length] : undefined;
        return await pool.run(entry === undefined ? echo(i) : cancelledOnceStarted(entry));
      }),
    );
    const codes = outcomes.map(({error}) => error?.code);
    const expected = ['TOOL_CRASHED', 'TOOL_CRASHED', 'TOOL_CRASHED', 'TOOL_CANCELLED', 'TOOL_CANCELLED'];
    expect(codes.filter((_, i) => i % 10 === 0)).toEqual([...expected, ...expected]);
    expect(codes.filter((code, i) => i % 10 !== 0 && code !== undefined)).toEqual([]);
  });
});
