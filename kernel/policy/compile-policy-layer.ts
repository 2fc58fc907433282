// Compiles the default and the rules of one layer, and reports all that is wrong with them.
import type {PolicyLayerName, PolicyOutcome} from '@lumenflow/schemas';
import {canonicalJson} from '../evidence/canonical-json.ts';
import type {Problem} from '../problem.ts';
import type {CompiledLayer} from './compiled-layer.ts';
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';
import {createLayerCaches} from './layer-caches.ts';
import {compileRule} from './compile-rule.ts';
import type {LocatedRule} from './located-rule.ts';
import {indexRules} from './rule-index.ts';
import {isPolicyOutcome} from './layer-decision.ts';

export interface PolicyLayerSource {
  readonly layer: PolicyLayerName;
  readonly default_decision?: PolicyOutcome | undefined;
  /** `file:line:column` of the default. */
  readonly default_where?: string;
  readonly rules: readonly LocatedRule[];
  readonly ports: PolicyCompilerPorts;
}

export interface PolicyLayerCompilation {
  /** Denies what its malformed parts could have governed, should it be used despite errors. */
  readonly layer: CompiledLayer;
  readonly problems: readonly Problem[];
}

const allowAll = 'kernel.policy.allow-all';

export function compilePolicyLayer({
  layer,
  default_decision,
  default_where,
  rules,
  ports,
}: PolicyLayerSource): PolicyLayerCompilation {
  const where = default_where ?? `${layer} policies`;
  const known = default_decision === undefined || isPolicyOutcome(default_decision);
  const decision = known ? default_decision : 'deny';
  const caches = createLayerCaches();
  const compiled = rules.map((rule) => compileRule(rule, layer, ports, caches));
  const problems: Problem[] = [
    ...(known ? [] : [unknownDefault(default_decision, where)]),
    ...idProblems(rules, layer),
  ];
  problems.push(...compiled.flatMap((rule) => rule.problems));
  return {
    problems,
    layer: {
      layer,
      ...indexRules(compiled.map(({indexed}) => indexed)),
      canonical: `[${canonicalJson(decision ?? null)},${compiled.map(({indexed}) => indexed.rule.canonical).join(',')}]`,
      ...(decision !== undefined && {
        default: {
          kind: 'default',
          self_approval: false,
          said: {
            decision,
            layer,
            rule_id: `${layer}.default`,
            ...(default_where !== undefined && {where: default_where}),
          },
        },
      }),
    },
  };
}

function unknownDefault(decision: unknown, where: string): Problem {
  return {
    code: 'POLICY_DEFAULT_INVALID',
    severity: 'error',
    message: `unknown default_decision \`${String(decision)}\``,
    where,
    help: 'write allow, deny or approval_required',
  };
}

function idProblems(rules: readonly LocatedRule[], layer: PolicyLayerName): readonly Problem[] {
  const places = new Map<unknown, string>();
  const problems: Problem[] = [];
  for (const located of rules) {
    const id: unknown = Object(located.rule).id;
    const at = located.locate?.('/id') ?? located.where;
    const first = places.get(id);
    if (first !== undefined) {
      const message = `rule id \`${String(id)}\` is used twice in layer ${layer}: first at ${first}`;
      problems.push({
        code: 'POLICY_RULE_DUPLICATE',
        severity: 'error',
        message,
        where: at,
        help: 'give the rule a unique id',
      });
    }
    places.set(id, first ?? at);
    if (typeof id === 'string' && id.startsWith('kernel.')) {
      problems.push(reservedId(id, {layer, rule: located.rule, where: at}));
    }
  }
  return problems;
}

function reservedId(
  id: string,
  {layer, rule, where}: {readonly layer: PolicyLayerName; readonly rule: LocatedRule['rule']; readonly where: string},
): Problem {
  if (id === allowAll && layer === 'workspace' && allowsAll(rule)) {
    const message = `rule \`${id}\` is in force: it is for development only`;
    return {
      code: 'POLICY_ALLOW_ALL',
      severity: 'warning',
      message,
      where,
      help: 'remove it before agents do real work',
    };
  }
  const message =
    id === allowAll
      ? `rule \`${id}\` allows all calls, in the workspace layer only`
      : `rule id \`${id}\` is reserved for the kernel`;
  return {
    code: 'POLICY_RULE_RESERVED',
    severity: 'error',
    message,
    where,
    help: 'choose an id that does not start with `kernel.`',
  };
}

function allowsAll({trigger, decision, when}: LocatedRule['rule']): boolean {
  return trigger === 'on_tool_request' && decision === 'allow' && when === undefined;
}
