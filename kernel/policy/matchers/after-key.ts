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
import {valuesKey} from './values-key.ts';

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
    const isOne = compilePastCall(call, `${pointer}/call`, site, !site.isPermissive);
    const isOther =
      without === undefined ? () => false : compilePastCall(without, `${pointer}/without`, site, site.isPermissive);
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

/** `ifUnknown`: whether arguments that are not known match. */
function compilePastCall(matcher: unknown, pointer: string, site: MatcherSite, ifUnknown: boolean): Test {
  const {
    tool,
    permission,
    arguments: given,
    ...others
  }: Readonly<Record<string, unknown>> = isRecord(matcher) ? matcher : {};
  const isList = Array.isArray(permission) && permission.length > 0;
  const isNamed = tool !== undefined || isList || given !== undefined;
  if (!isNamed || (permission !== undefined && !isList) || Object.keys(others).length > 0) {
    const message = 'a call is named by `tool`, `permission`, `arguments` or several of them';
    return site.reject(pointer, 'POLICY_MATCHER_INVALID', message);
  }
  const globs = tool === undefined ? undefined : compileGlobs(tool as Globs, 'tool', site.compileRegex);
  if (globs?.ok === false) {
    return site.reject(`${pointer}/tool`, 'POLICY_GLOB_INVALID', globs.problem.message, globs.problem.help);
  }
  const permissions = isList ? new Set<unknown>(permission) : undefined;
  const fits = given === undefined ? undefined : compileArguments(given, `${pointer}/arguments`, site);
  return (call) =>
    globs?.value(call.tool_name) !== false &&
    permissions?.has(call.permission) !== false &&
    (fits === undefined || (call.input === undefined ? ifUnknown : fits(call.input.value)));
}

const argumentsKey = valuesKey({name: 'after', root: ({input}) => input, example: () => ({})});

function compileArguments(given: unknown, pointer: string, site: MatcherSite): (input: unknown) => boolean {
  const fits = argumentsKey.compile(given, pointer, site, () => () => false);
  return (input) => fits({context: {trigger: 'on_tool_request', run_id: ''}, input});
}

type ExampleCall = NonNullable<PolicyExample['call']['before']>[number];

function pastCallOf(call: ExampleCall, index: number): PastCall {
  const {tool, permission, result = 'success', arguments: value = {}} = call;
  return {
    input: {value},
    receipt_id: `example-${index}`,
    tool_name: tool,
    permission: permission ?? 'read',
    succeeded: result === 'success',
    started_seq: 2 * index,
    finished_seq: 2 * index + 1,
    callers: [],
  };
}
