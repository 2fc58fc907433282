// `after`: whether the session or the task made a call before, and none of another kind since.
//
// In doubt, a rule errs on the safe side. Where a match restricts, each such call counts, however it ended, and is made good only by a call
// that succeeded after it. Where a match allows, only a call that succeeded counts, and each call of the other kind spoils it that ran
// later or at the same time, however it ended.
import type {AfterMatcher, Globs, PolicyExample} from '@lumenflow/schemas';
import {compileGlobs} from '../compile-globs.ts';
import {isRecord} from '../is-record.ts';
import type {MatcherSite} from '../matcher-site.ts';
import type {PastCall, PastCalls} from '../past-calls.ts';
import type {MatcherKey} from './matcher-key.ts';
import {reachOfCalls} from './tainted-key.ts';

type Test = (call: PastCall) => boolean;

export const afterKey: MatcherKey = {
  compile(operand, pointer, site) {
    const {call, without, of, ...others}: Readonly<Record<string, unknown>> = isRecord(operand) ? operand : {};
    if ((of !== 'session' && of !== 'task') || call === undefined || Object.keys(others).length > 0) {
      const help = "for example `{call: {tool: 'gate:run'}, without: {permission: [write]}, of: task}`";
      return site.reject(
        pointer,
        'POLICY_MATCHER_INVALID',
        '`after` needs a `call`, and `of: session` or `of: task`',
        help,
      );
    }
    const isOne = compilePastCall(call, `${pointer}/call`, site);
    const isOther = without === undefined ? () => false : compilePastCall(without, `${pointer}/without`, site);
    const isAfter = site.isPermissive ? certainlyAfter : possiblyAfter;
    return ({history}) => history !== undefined && isAfter(history[of], isOne, isOther);
  },
  reach: reachOfCalls,
  requires: () => [],
  *names({call, without}: AfterMatcher, at) {
    const named = [
      ['call', call],
      ['without', without],
    ] as const;
    for (const [part, matcher] of named) {
      for (const name of [matcher?.tool ?? []].flat()) {
        if (/^[\w.:-]+$/u.test(name)) yield {kind: 'tool', name, at: `${at}/${part}/tool`};
      }
    }
  },
  example({before = []}) {
    const calls = before.map(pastCallOf);
    return {history: {session: {calls, isWhole: true}, task: {calls, isWhole: true}}};
  },
  insteadIn: (trigger) => (trigger === 'on_tool_request' ? undefined : 'use it in a rule of on_tool_request'),
};

function possiblyAfter({calls, isWhole}: PastCalls, isOne: Test, isOther: Test): boolean {
  const others = calls.filter((call) => call.succeeded && isOther(call));
  // What is too old to be read may have been one.
  if (!isWhole && others.length === 0) return true;
  return calls.some(
    (one) =>
      isOne(one) &&
      !others.some(({started_seq, receipt_id}) => receipt_id !== one.receipt_id && started_seq > endOf(one)),
  );
}

function certainlyAfter({calls}: PastCalls, isOne: Test, isOther: Test): boolean {
  const others = calls.filter(isOther);
  return calls.some(
    (one) =>
      one.succeeded &&
      isOne(one) &&
      others.every(
        (other) =>
          other.receipt_id === one.receipt_id ||
          other.callers.includes(one.receipt_id) ||
          endOf(other) < one.started_seq,
      ),
  );
}

function endOf({finished_seq}: PastCall): number {
  return finished_seq ?? Infinity;
}

function compilePastCall(matcher: unknown, pointer: string, site: MatcherSite): Test {
  const {tool, permission, ...others}: Readonly<Record<string, unknown>> = isRecord(matcher) ? matcher : {};
  const isList = Array.isArray(permission) && permission.length > 0;
  if ((tool === undefined && !isList) || (permission !== undefined && !isList) || Object.keys(others).length > 0) {
    return site.reject(pointer, 'POLICY_MATCHER_INVALID', 'a call is named by `tool`, `permission` or both');
  }
  const globs = tool === undefined ? undefined : compileGlobs(tool as Globs, 'tool', site.compileRegex);
  if (globs?.ok === false) {
    return site.reject(`${pointer}/tool`, 'POLICY_GLOB_INVALID', globs.problem.message, globs.problem.help);
  }
  const permissions = isList ? new Set<unknown>(permission) : undefined;
  return (call) => globs?.value(call.tool_name) !== false && permissions?.has(call.permission) !== false;
}

type ExampleCall = NonNullable<PolicyExample['call']['before']>[number];

function pastCallOf({tool, permission, result = 'success'}: ExampleCall, index: number): PastCall {
  return {
    receipt_id: `example-${index}`,
    tool_name: tool,
    permission: permission ?? 'read',
    succeeded: result === 'success',
    started_seq: 2 * index,
    finished_seq: 2 * index + 1,
    callers: [],
  };
}
