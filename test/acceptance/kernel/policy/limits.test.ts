// Rules with `at_most`: limits of calls and sums, across tasks, processes and restarts.
import type {EventLog} from '@lumenflow/kernel/adapters';
import type {PolicyLimit, PolicyRule} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {passThroughEvents} from '../../../support/pass-through-state.ts';
import {createStage, type RuntimeWords, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const pay = examplePack({
  id: 'pay',
  tools: [
    {name: 'pay:send', input_schema: {type: 'object', properties: {amount: {type: 'number'}}}},
    {name: 'pay:look', input_schema: {type: 'object'}},
  ],
});

function limited(at_most: PolicyLimit, more: Partial<PolicyRule> = {}): RuntimeWords {
  const when = {tool: 'pay:send'};
  const rule: PolicyRule = {id: 'limit', trigger: 'on_tool_request', decision: 'deny', when, at_most, ...more};
  return {packs: [pay], workspace: {policies: {default_decision: 'allow', rules: [rule]}}};
}

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test('a limit applies across tasks and restarts, until its period is over; refused calls and other tools do not count', async () => {
    const words = limited({count: 2, per: '1m', of: 'actor'}, {reason: 'slowly'});
    const first = await stage.open(words);
    const one = await first.startTask('t-1');
    expect((await first.executeTool('pay:look', {}, one)).success).toBe(true);
    expect((await first.executeTool('pay:send', {}, one)).success).toBe(true);
    await first.close();
    const runtime = await stage.open(words);
    const two = await runtime.startTask('t-2', {session_id: 's-2'});
    stage.clock.move(30_000);
    expect((await runtime.executeTool('pay:send', {amount: 'x'}, two)).error?.code).toBe('INVALID_INPUT');
    expect((await runtime.executeTool('pay:send', {}, two)).success).toBe(true);
    for (let again = 0; again < 2; again += 1) {
      expect((await runtime.executeTool('pay:send', {}, two)).error).toMatchObject({
        code: 'POLICY_DENIED',
        message: 'policy denies `pay:send`: slowly (2 of 2 used by actor agent)',
      });
    }
    expect((await runtime.explainTool('pay:send', {}, two)).policy?.counted).toMatchObject([{used: 2, at_most: 2}]);
    expect((await runtime.executeTool('pay:send', {}, {...two, by: 'ann'})).success).toBe(true);
    stage.clock.move(30_000);
    // The first call is a minute old.
    expect((await runtime.executeTool('pay:send', {}, two)).success).toBe(true);
    expect((await runtime.executeTool('pay:send', {}, two)).error?.code).toBe('POLICY_DENIED');
  });

  test('of calls that were decided at once, in two processes, no more run than the limit allows', async () => {
    const calls = 6;
    let isArmed = false;
    let waiting: (() => void)[] = [];
    /** Delays the counting of all calls until each was decided. */
    const events = (log: EventLog): EventLog =>
      passThroughEvents(log, {
        transact: async (decide) => {
          if (isArmed) {
            await new Promise<void>((resolve) => {
              waiting.push(resolve);
              if (waiting.length < calls) return;
              isArmed = false;
              for (const go of waiting) go();
              waiting = [];
            });
          }
          return await log.transact(decide);
        },
      });
    const words = {...limited({count: 2, of: 'workspace'}), events};
    const [runtime, other] = [await stage.open(words), await stage.open(words)];
    const context = await runtime.startTask();
    isArmed = true;
    const outputs = await Promise.all(
      Array.from({length: calls}, (_, index) =>
        (index % 2 === 0 ? runtime : other).executeTool('pay:send', {}, context),
      ),
    );
    expect(outputs.filter(({success}) => success)).toHaveLength(2);
    expect([...runtime.dispatcher.requests, ...other.dispatcher.requests]).toHaveLength(2);
    for (const {error} of outputs.filter(({success}) => !success)) {
      expect(error).toMatchObject({code: 'POLICY_DENIED', details: {rule_id: 'limit'}});
    }
  });
});

describe('with one state', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(stateKinds[0]!);
  });
  afterEach(() => stage.close());

  test('a sum counts what calls that ran asked for; what is not an amount makes the rule apply', async () => {
    const runtime = await stage.open(limited({total: 100, sum: '/amount', of: 'task'}));
    const context = await runtime.startTask();
    const send = async (amount: number, context_ = context) =>
      (await runtime.executeTool('pay:send', {amount}, context_)).error?.code ?? 'sent';
    expect([await send(60), await send(60), await send(40), await send(0), await send(0.5)]).toEqual([
      'sent',
      'POLICY_DENIED',
      'sent',
      'sent',
      'POLICY_DENIED',
    ]);
    const {error} = await runtime.executeTool('pay:send', {amount: -50}, context);
    expect(error).toMatchObject({code: 'POLICY_DENIED', message: expect.stringContaining('`/amount` is not a number')});
    expect(await send(100, await runtime.startTask('t-2', {session_id: 's-2'}))).toBe('sent');
    const {receipts} = await runtime.evidence.readTraces({task_id: context.task_id});
    expect(receipts.map(({started}) => started.counted?.map(({used, amount}) => [used, amount]))).toEqual([
      [[100, 0]],
      [[100, 0.5]],
      [[100, 0]],
      [[60, 40]],
      [[60, 60]],
      [[0, 60]],
    ]);
  });

  describe('of a number in outputs', () => {
    const limit: PolicyLimit = {total: 10, sum_output: '/cost', each: 4, per: '1h', of: 'workspace'};
    const costing = (cost: () => unknown, more: Partial<PolicyRule> = {}): RuntimeWords => ({
      ...limited(limit, more),
      scripts: {'pay:send': async () => await Promise.resolve({output: {success: true, data: {cost: cost()}}})},
    });

    test('counts what calls returned, across processes and restarts, until the period is over', async () => {
      let cost: unknown = 1;
      const words = costing(() => cost);
      const runtime = await stage.open(words);
      const context = await runtime.startTask();
      const runs = async (): Promise<boolean> => (await runtime.executeTool('pay:send', {}, context)).success;
      const used = async (): Promise<number | undefined> =>
        (await runtime.explainTool('pay:send', {}, context)).policy?.counted?.[0]?.used;
      expect([await runs(), await runs()]).toEqual([true, true]);
      expect(await used()).toBe(2);
      stage.clock.move(60_000);
      // More than was assumed counts, too; what is not a number counts as what was assumed.
      cost = 5;
      expect([await runs(), await used()]).toEqual([true, 7]);
      expect([await runs(), await used()]).toEqual([false, 7]);
      await runtime.close();
      const restarted = await stage.open(words);
      expect((await restarted.executeTool('pay:send', {}, context)).error?.code).toBe('POLICY_DENIED');
      stage.clock.move(59 * 60_000);
      // The first two are over.
      cost = 'free';
      expect((await restarted.executeTool('pay:send', {}, context)).success).toBe(true);
      expect((await restarted.explainTool('pay:send', {}, context)).policy?.counted?.[0]?.used).toBe(9);
    });

    test('counts what calls returned after the clock was set back, and for no less than the period', async () => {
      const runtime = await stage.open(costing(() => 1));
      const context = await runtime.startTask();
      const runs = async (): Promise<boolean> => (await runtime.executeTool('pay:send', {}, context)).success;
      const used = async (): Promise<number | undefined> =>
        (await runtime.explainTool('pay:send', {}, context)).policy?.counted?.[0]?.used;
      expect(await runs()).toBe(true);
      stage.clock.move(-24 * 3_600_000);
      expect([await runs(), await used()]).toEqual([true, 2]);
      stage.clock.move(24 * 3_600_000 + 3_599_999);
      expect(await used()).toBe(2);
      stage.clock.move(1);
      expect(await used()).toBe(0);
    });

    test('a call that runs or fails counts as what was assumed', async () => {
      let end: () => void = () => undefined;
      let begun: () => void = () => undefined;
      const isRunning = new Promise<void>((resolve) => (begun = resolve));
      const words: RuntimeWords = {
        ...limited(limit),
        scripts: {
          'pay:send': async () => {
            begun();
            await new Promise<void>((resolve) => (end = resolve));
            return {output: {success: false, error: {code: 'TOOL_EXECUTION_FAILED', message: 'x'}}};
          },
        },
      };
      const [runtime, other] = [await stage.open(words), await stage.open(words)];
      const context = await runtime.startTask();
      const used = async (): Promise<number | undefined> =>
        (await other.explainTool('pay:send', {}, context)).policy?.counted?.[0]?.used;
      const call = runtime.executeTool('pay:send', {}, context);
      await isRunning;
      expect(await used()).toBe(4);
      end();
      expect((await call).success).toBe(false);
      expect(await used()).toBe(4);
    });

    test('with an approval that waits, two processes at the limit let one call through', async () => {
      const words = costing(() => 4, {decision: 'approval_required'});
      const [runtime, other] = [await stage.open(words), await stage.open(words)];
      const context = await runtime.startTask();
      const calls = async (from = runtime): Promise<string | undefined> =>
        (await from.executeTool('pay:send', {}, context)).error?.code;
      expect([await calls(), await calls(other)]).toEqual([undefined, undefined]);
      expect(await calls(other)).toBe('APPROVAL_REQUIRED');
      // What waits does not count, and one approval is for one call.
      const {error} = await runtime.executeTool('pay:send', {}, context);
      expect((await other.explainTool('pay:send', {}, context)).policy?.counted?.[0]?.used).toBe(8);
      const request_id = String(error?.details?.['request_id']);
      await other.resolveApproval({request_id, approved: true, approved_by: 'olga'});
      const codes = await Promise.all([calls(), calls(other)]);
      expect(codes.filter((code) => code === undefined)).toHaveLength(1);
      expect((await runtime.explainTool('pay:send', {}, context)).policy?.counted?.[0]?.used).toBe(12);
    });
  });

  test('what goes beyond a limit can ask a person, who approves it', async () => {
    const runtime = await stage.open(limited({count: 1, of: 'session'}, {decision: 'approval_required'}));
    const context = await runtime.startTask();
    const call = () => runtime.executeTool('pay:send', {}, context);
    expect((await call()).success).toBe(true);
    const {error} = await call();
    expect(error?.code).toBe('APPROVAL_REQUIRED');
    const request_id = String(error?.details?.['request_id']);
    await runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'});
    expect((await call()).success).toBe(true);
    const counted = (await runtime.events.read({})).filter(({type}) => type === 'call_counted');
    expect(counted).toHaveLength(2);
  });

  test('of two calls with one approval, the one that does not run is not counted', async () => {
    const runtime = await stage.open(limited({count: 1, of: 'session'}, {decision: 'approval_required'}));
    const context = await runtime.startTask();
    const call = () => runtime.executeTool('pay:send', {}, context);
    await call();
    const request_id = String((await call()).error?.details?.['request_id']);
    await runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'});
    const outputs = await Promise.all([call(), call()]);
    expect(outputs.filter(({success}) => success)).toHaveLength(1);
    const counted = (await runtime.events.read({})).filter(({type}) => type === 'call_counted');
    expect(counted).toHaveLength(2);
  });

  test('a rule that observes counts, and stops nothing', async () => {
    const runtime = await stage.open(limited({count: 1, of: 'tool'}, {mode: 'observe'}));
    const context = await runtime.startTask();
    for (let call = 0; call < 2; call += 1)
      expect((await runtime.executeTool('pay:send', {}, context)).success).toBe(true);
    const {receipts} = await runtime.evidence.readTraces();
    expect(receipts.map(({started}) => started.observed?.decision)).toEqual(['deny', undefined]);
  });

  test.each<[Partial<PolicyRule>, string]>([
    [{decision: 'allow'}, '`at_most` restricts calls only'],
    [{trigger: 'on_claim', when: {lane: 'core'}}, '`at_most` restricts calls only'],
    [
      {at_most: {of: 'task'} as unknown as PolicyLimit},
      'a limit has a `count`, a `total` of a `sum`, or a `total` of a `sum_output` with `each`',
    ],
    [{at_most: {total: 1, sum_output: '/a', of: 'task'} as unknown as PolicyLimit}, '`sum_output` with `each`'],
    [{at_most: {total: 1, sum: '/a', each: 1, of: 'task'} as unknown as PolicyLimit}, '`sum_output` with `each`'],
    [{at_most: {total: 1, sum_output: 'a', each: 1, of: 'task'}}, '`a` is not a JSON pointer'],
    [{at_most: {count: 1, per: '5x', of: 'task'}}, '`5x` is not a period'],
    [{examples: [{call: {tool: 'pay:send', used: 1}, expect: 'deny'}]}, 'gives `no_match` for this example'],
  ])('%j is refused', async (more, message) => {
    await expect(stage.open(limited({count: 2, of: 'task'}, more))).rejects.toThrow(message);
  });

  test('an example gives what counts already', async () => {
    const examples: PolicyRule['examples'] = [
      {call: {tool: 'pay:send', used: 2}, expect: 'deny'},
      {call: {tool: 'pay:send', used: 1}, expect: 'no_match'},
    ];
    await expect(stage.open(limited({count: 2, of: 'task'}, {examples}))).resolves.toBeDefined();
  });
});
