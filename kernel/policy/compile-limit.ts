// `at_most` of a rule: what its calls may add up to before it applies.
import type {CountedUse, PolicyLayerName, PolicyLimit, PolicyRule} from '@lumenflow/schemas';
import {isRecord} from './is-record.ts';
import {parseJsonPointer, valueAt} from './json-pointer.ts';
import type {MatcherSite} from './matcher-site.ts';
import type {PolicyRequest} from './policy-request.ts';

export interface CompiledLimit {
  /** What a request that `when` matches counts for, and whether the rule applies to it. */
  judge(request: PolicyRequest): LimitJudgment;
}

export interface LimitJudgment {
  readonly counted: CountedUse;
  readonly applies: boolean;
  /** Why the value that counts cannot be added up. */
  readonly invalid?: string;
}

const unitsMs: Readonly<Record<string, number>> = {s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000};

const owners: Readonly<Record<PolicyLimit['of'], (request: PolicyRequest) => string | undefined>> = {
  session: ({session_id}) => session_id,
  task: ({context}) => context.task_id,
  lane: ({context}) => context.lane_id,
  tool: ({context}) => context.tool_name,
  actor: ({context}) => context.actor,
  workspace: () => '',
};

/** Rules of one id in several lanes, packs or tasks count apart. */
const places: Readonly<Record<PolicyLayerName, (request: PolicyRequest) => string | undefined>> = {
  workspace: () => '',
  lane: ({context}) => context.lane_id,
  pack: ({context}) => context.pack_id,
  task: ({context}) => context.task_id,
};

export function compileLimit(rule: PolicyRule, layer: PolicyLayerName, site: MatcherSite): CompiledLimit | undefined {
  const {at_most: limit, id} = rule;
  if (limit === undefined) return undefined;
  const problem = problemOf(rule, limit);
  if (problem) {
    const {pointer, message, help} = problem;
    site.reject(`/at_most${pointer}`, 'POLICY_LIMIT_INVALID', message, help);
    return undefined;
  }
  const {count, total, sum, sum_output: output, each, per, of} = limit;
  const max = count ?? total ?? 0;
  const path = sum === undefined ? undefined : parseJsonPointer(sum);
  const perMs = per === undefined ? undefined : periodMs(per);
  const name = JSON.stringify([layer, id, of, sum ?? (output === undefined ? null : {output}), perMs ?? null]);
  return {
    judge(request) {
      const owner = owners[of](request) ?? '';
      const key = `${name} ${JSON.stringify([places[layer](request) ?? '', owner])}`;
      const amount = amountOf(path === undefined ? (each ?? 1) : (valueAt(inputOf(request), path) ?? 0));
      const used = request.used?.(key, perMs) ?? 0;
      const said = {rule_id: id, layer, key, of: owner === '' ? of : `${of} ${owner}`, used, at_most: max};
      return {
        counted: {
          ...said,
          amount: amount ?? 0,
          ...(perMs !== undefined && {per_ms: perMs}),
          ...(output !== undefined && {output}),
        },
        applies: amount === undefined || used + amount > max,
        ...(amount === undefined && {invalid: `\`${sum ?? ''}\` is not a number of at least 0`}),
      };
    },
  };
}

/** Undefined if the value is not a number of at least 0. */
function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

interface LimitProblem {
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

function problemOf({trigger, decision}: PolicyRule, limit: unknown): LimitProblem | undefined {
  if (trigger !== 'on_tool_request' || decision === 'allow') {
    const help = 'use `at_most` in a rule of on_tool_request that denies or requires an approval';
    return {pointer: '', message: '`at_most` restricts calls only', help};
  }
  const parts = isRecord(limit) ? limit : {};
  const {per, of} = parts;
  const wrong = problemOfBound(parts);
  if (wrong) return wrong;
  if (per !== undefined && !(typeof per === 'string' && periodMs(per) > 0)) {
    return {
      pointer: '/per',
      message: `\`${typeof per === 'string' ? per : typeof per}\` is not a period`,
      help: 'write for example `30s`, `24h` or `7d`',
    };
  }
  const isKnown = typeof of === 'string' && Object.hasOwn(owners, of);
  const help = `write one of ${Object.keys(owners).join(', ')}`;
  return isKnown ? undefined : {pointer: '/of', message: 'a limit names in `of` whose calls count together', help};
}

function problemOfBound(parts: Readonly<Record<string, unknown>>): LimitProblem | undefined {
  const {count, total, sum, sum_output: output, each} = parts;
  const named = [count, sum, output].filter((part) => part !== undefined);
  const isBound = typeof count === 'number' ? total === undefined : typeof total === 'number';
  const isEach = output === undefined ? each === undefined : typeof each === 'number' && each > 0;
  if (named.length !== 1 || !isBound || !isEach) {
    const help = 'for example `at_most: {count: 20, per: 1m, of: session}`';
    const message = 'a limit has a `count`, a `total` of a `sum`, or a `total` of a `sum_output` with `each`';
    return {pointer: '', message, help};
  }
  for (const [name, pointer] of Object.entries({sum, sum_output: output})) {
    if (pointer === undefined || (typeof pointer === 'string' && parseJsonPointer(pointer))) continue;
    const message = `\`${typeof pointer === 'string' ? pointer : typeof pointer}\` is not a JSON pointer`;
    return {pointer: `/${name}`, message, help: 'write for example `/amount`'};
  }
  return undefined;
}

/** NaN if it is not a period. */
function periodMs(per: string): number {
  return Number(per.slice(0, -1)) * (unitsMs[per.slice(-1)] ?? Number.NaN);
}

function inputOf({context, input}: PolicyRequest): unknown {
  return context.tool_arguments ?? input;
}
