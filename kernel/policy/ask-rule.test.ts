import {describe, expect, test} from 'vitest';
import {failed} from '../outcome.ts';
import {compilePolicyLayer, evaluatePolicy, type LoadedRule, type PolicyResult} from './index.ts';

const unused = {compileRegex: () => failed('no regex in these tests')};

/** A rule that would allow, over a default that allows: only a failing `when` denies. */
function evaluate(
  when: unknown,
  monotonic: () => number = () => 0,
  more: Pick<LoadedRule, 'is_timed'> & {readonly tool_arguments?: Readonly<Record<string, unknown>>} = {},
): PolicyResult {
  const {tool_arguments, ...timing} = more;
  const rule = {id: 'pack.rule', trigger: 'on_tool_request', decision: 'allow', when, ...timing} as LoadedRule;
  const pack = compilePolicyLayer({
    layer: 'pack',
    rules: [{rule, where: 'pack/policies.ts'}],
    ports: {...unused, monotonic},
  });
  expect(pack.problems).toEqual([]);
  const workspace = compilePolicyLayer({
    layer: 'workspace',
    default_decision: 'allow',
    rules: [],
    ports: {...unused, monotonic},
  });
  return evaluatePolicy({
    layers: {workspace: workspace.layer, pack: pack.layer},
    allowLoosening: [],
    request: {
      context: {
        trigger: 'on_tool_request',
        run_id: 'run-1',
        tool_name: 'a:b',
        lane_id: 'core',
        ...(tool_arguments !== undefined && {tool_arguments}),
      },
      permission: 'read',
    },
  });
}

/** A clock that advances by this much with every read. */
function steppingBy(ms: number): () => number {
  let now = 0;
  return () => (now += ms);
}

describe('a `when` that cannot be relied on denies in the name of its rule', () => {
  const thrower = (thrown: unknown) => () => {
    throw thrown;
  };
  const unprintable = {
    toString() {
      throw new Error('no');
    },
  };
  test.each([
    ['throws', thrower(new Error('boom')), 'Error: boom'],
    ['throws no error', thrower('boom'), 'threw: boom'],
    ['throws nothing', thrower(undefined), 'threw: undefined'],
    ['throws what cannot be printed', thrower(unprintable), 'cannot be printed'],
    ['throws at length', thrower('x'.repeat(10_000)), 'xxx'],
    ['answers nothing', () => undefined, 'answered with undefined'],
    ['answers null', () => null, 'answered with null'],
    ['answers 1', () => 1, 'answered with number'],
    ['answers a text', () => 'false', 'answered with string'],
    ['answers a promise', async () => false, 'answered with a promise'],
    ['answers an object', () => ({}), 'answered with object'],
  ])('%s', (_, when, reason) => {
    const result = evaluate(when);
    expect(result.decision).toBe('deny');
    expect(result.decisions.at(-1)).toMatchObject({
      decision: 'deny',
      layer: 'pack',
      rule_id: 'pack.rule',
      where: 'pack/policies.ts',
    });
    expect(result.deciding.reason).toContain(reason);
    expect(result.deciding.reason?.length).toBeLessThan(400);
  });

  test('that a busy machine delays once is asked again', () => {
    const times = [0, 51, 60, 61];
    let asked = 0;
    const result = evaluate(
      () => ++asked < 2,
      () => times.shift() ?? Number.NaN,
    );
    expect({decision: result.decision, asked}).toEqual({decision: 'allow', asked: 2});
  });

  test('takes more than 50 ms, each time', () => {
    const busy = [0, 60, 100, 160, 200, 260, 300, 360, 400, 410];
    expect(
      evaluate(
        () => false,
        () => busy.shift() ?? Number.NaN,
      ).decision,
    ).toBe('allow');
    expect(evaluate(() => false, steppingBy(50)).decision).toBe('allow');
    const late = evaluate(() => false, steppingBy(51));
    expect(late.decision).toBe('deny');
    expect(late.deciding).toMatchObject({rule_id: 'pack.rule', reason: expect.stringContaining('51 ms')});
    expect(
      evaluate(
        () => false,
        () => Number.NaN,
      ).decision,
    ).toBe('deny');
  });

  test('takes what it takes where its time is kept already', () => {
    expect(evaluate(() => false, steppingBy(51), {is_timed: true}).decision).toBe('allow');
    expect(evaluate(() => 1, steppingBy(51), {is_timed: true}).decision).toBe('deny');
  });

  test('rejects later, which must not reach the process', async () => {
    const rejections: unknown[] = [];
    const listen = (reason: unknown): unknown => rejections.push(reason);
    process.on('unhandledRejection', listen);
    expect(
      evaluate(async () => {
        throw new Error('late');
      }).decision,
    ).toBe('deny');
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', listen);
    expect(rejections).toEqual([]);
  });
});

test('a `when` gets the context, and cannot change it', () => {
  expect(
    evaluate((context: {lane_id: string}) => {
      context.lane_id = 'other';
      return true;
    }).deciding.reason,
  ).toMatch(/read.only/);
  const seen: unknown[] = [];
  evaluate((context: unknown) => seen.push(context) < 0);
  expect(seen).toEqual([{trigger: 'on_tool_request', run_id: 'run-1', tool_name: 'a:b', lane_id: 'core'}]);
});

test.each([
  ['an argument', (input: {to: string}) => (input.to = 'other')],
  ['a list', (input: {cc: string[]}) => input.cc.push('other')],
  ['what lies within', (input: {body: {text: string}}) => (input.body.text = 'other')],
])('a `when` cannot change %s, which the handler gets', (_, change) => {
  const tool_arguments = {to: 'ada', cc: ['bob'], body: {text: 'hi'}};
  const when = (context: {tool_arguments: never}): boolean => change(context.tool_arguments) !== undefined;
  const {decision, deciding} = evaluate(when, undefined, {tool_arguments});
  expect({decision, reason: deciding.reason}).toEqual({
    decision: 'deny',
    reason: expect.stringMatching(/read.only|not extensible/),
  });
  expect(tool_arguments).toEqual({to: 'ada', cc: ['bob'], body: {text: 'hi'}});
});

test('arguments that cannot be read deny', () => {
  const tool_arguments = {
    get to() {
      throw new Error('not for you');
    },
  };
  const {deciding} = evaluate(() => false, undefined, {tool_arguments});
  expect(deciding).toMatchObject({decision: 'deny', reason: expect.stringContaining('not for you')});
});
