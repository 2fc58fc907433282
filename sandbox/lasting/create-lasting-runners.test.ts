// Which runners wait, and what their records say; no sandbox is started here.
import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import type {RunnerWithResources} from '../warm-pool/spare.ts';
import {createLastingRunners, type LastingRunners, type LastingTurn} from './create-lasting-runners.ts';
import type {LastingRequest} from '../backends/lasting-request.ts';

const profile = uncheckedProfile(narrowestProfile([]));
const request: LastingRequest = {
  span: {lifetime: 'session', id: 's-1'},
  programHash: 'sha256:1',
  idleMs: 60_000,
  survives: () => true,
};
const success = {success: true} as const;

function begin(runners: LastingRunners, owner = 'a', files = 'same', more: Partial<LastingRequest> = {}): LastingTurn {
  return runners.begin({owner, files}, {...request, ...more}, profile);
}

function newRunner(): RunnerWithResources & {readonly kills: number[]} {
  const kills: number[] = [];
  return {
    kills,
    pid: 1,
    wire: new PassThrough(),
    stdout: undefined,
    stderr: undefined,
    ended: new Promise(() => undefined),
    meter: undefined,
    degraded: [],
    network: undefined,
    view: undefined,
    releaseView: () => undefined,
    closeNetwork: async () => undefined,
    kill: () => void kills.push(1),
    keepAlive: () => undefined,
    setUpProblem: () => undefined,
  };
}

const facts = (error?: {code: string; message: string}, ended: {timedOut?: boolean; aborted?: boolean} = {}) => ({
  output: error === undefined ? success : {success: false as const, error},
  timedOut: false,
  aborted: false,
  truncated: false,
  oom: false,
  stdout: '',
  stderr: '',
  durationMs: 1,
  ...ended,
});

test('one runner serves the calls of a program, and each call is counted', () => {
  const runners = createLastingRunners(() => 0);
  const runner = newRunner();
  const first = begin(runners);
  expect(first.spare).toBeUndefined();
  first.keep(runner, success);
  first.leave(facts());
  const second = begin(runners);
  expect(second.spare?.runner).toBe(runner);
  expect([first.record, second.record]).toEqual([
    {lifetime: 'session', start: 1, call: 1},
    {lifetime: 'session', start: 1, call: 2},
  ]);
  expect(begin(runners, 'b').spare).toBeUndefined();
});

test.each([
  ['crash', facts({code: 'TOOL_CRASHED', message: ''})],
  ['crash', undefined],
  ['limit', facts({code: 'LIMIT_EXCEEDED', message: ''})],
  ['timeout', facts({code: 'TOOL_TIMEOUT', message: ''}, {timedOut: true})],
  ['cancellation', facts({code: 'TOOL_CANCELLED', message: ''}, {aborted: true})],
])('a call after a %s starts the program again, and says why', (restarted_after, ended) => {
  const runners = createLastingRunners(() => 0);
  begin(runners).leave(ended);
  expect(begin(runners).record).toEqual({lifetime: 'session', start: 2, call: 1, restarted_after});
});

test('a runner that cannot continue, or whose files changed, is killed', () => {
  const runners = createLastingRunners(() => 0);
  const [broken, old] = [newRunner(), newRunner()];
  const failing = begin(runners, 'a', 'same', {survives: () => false});
  failing.keep(broken, success);
  failing.leave(facts());
  expect([broken.kills.length, failing.isKept()]).toEqual([1, false]);
  const next = begin(runners);
  next.keep(old, success);
  next.leave(facts());
  expect(begin(runners, 'a', 'other')).toMatchObject({spare: undefined, record: {restarted_after: 'changed'}});
  expect(old.kills).toHaveLength(1);
});

test('two calls at once do not share a runner', () => {
  const runners = createLastingRunners(() => 0);
  const [one, other] = [begin(runners), begin(runners)];
  const [kept, killed] = [newRunner(), newRunner()];
  other.keep(killed, success);
  one.keep(kept, success);
  expect([kept.kills.length, killed.kills.length]).toEqual([0, 1]);
});

test('the runner that has waited longest makes room', () => {
  let now = 0;
  const runners = createLastingRunners(() => now++, {idleMax: 2});
  const all = ['a', 'b', 'c'].map((owner) => {
    const runner = newRunner();
    const turn = begin(runners, owner);
    turn.keep(runner, success);
    turn.leave(facts());
    return runner;
  });
  expect(all.map(({kills}) => kills.length)).toEqual([1, 0, 0]);
  expect(begin(runners, 'a').record).toMatchObject({start: 2, restarted_after: 'room'});
});

test('the end of a span ends its runners, also of a call that still runs', () => {
  const runners = createLastingRunners(() => 0);
  const [waiting, running] = [newRunner(), newRunner()];
  begin(runners, 'a').keep(waiting, success);
  const turn = begin(runners, 'b');
  runners.endSpans(({id}) => id === 's-1');
  turn.keep(running, success);
  expect([waiting.kills.length, running.kills.length]).toEqual([1, 1]);
  expect(begin(runners, 'a').record).toEqual({lifetime: 'session', start: 1, call: 1});
});
