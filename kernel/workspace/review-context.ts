// All rules of a workspace and its packs, and the situations in which they can apply: what reviews of rules look at.
import {createBuiltinPack} from '../builtin-pack/create-builtin-pack.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {
  ruleReach,
  type EffectiveRule,
  type LocatedRule,
  type PolicyCompilerPorts,
  type Situation,
} from '../policy/index.ts';
import {marksOf, type WorkspaceCompilerPorts, type WorkspaceSource} from './compile-workspace.ts';
import {describeTools} from './describe-tools.ts';
import {locateRules} from './locate-rules.ts';
import {registerTools} from './register-tools.ts';

export interface ReviewContext {
  readonly ports: PolicyCompilerPorts;
  /** In the order of layers: workspace, lanes, packs. */
  readonly rules: readonly EffectiveRule[];
  readonly situations: readonly Situation[];
}

export function reviewContext(source: WorkspaceSource, lent: WorkspaceCompilerPorts): ReviewContext {
  const packs = [createBuiltinPack((schema) => lent.compileSchema(schema)), ...source.packs];
  const tools = registerTools(packs, marksOf(source, packs, lent)).byName;
  const ports = {...lent, describeTool: describeTools(tools), groups: source.spec.approvals?.groups};
  return {ports, rules: effectiveRules(source, ports), situations: situationsOf(source, [...tools.values()])};
}

function effectiveRules({spec, packs, locate}: WorkspaceSource, ports: PolicyCompilerPorts): readonly EffectiveRule[] {
  const {default_decision, allow_loosening = []} = spec.policies ?? {};
  const sitesOf = (
    rules: readonly LocatedRule[],
    {layer, of, ...rest}: Pick<EffectiveRule, 'layer' | 'of' | 'default_decision'>,
  ): readonly EffectiveRule[] =>
    rules.map((located) => {
      const isCall = located.rule.trigger === 'on_tool_request';
      const own = isCall ? rest.default_decision : undefined;
      const setsBaseline = isCall && default_decision === undefined && own !== undefined;
      const authority = layer === 'workspace' || setsBaseline || allow_loosening.includes(layer);
      return {located, layer, of, reach: ruleReach(located, ports), authority, default_decision: own};
    });
  return [
    ...sitesOf(locateRules(spec.policies, '/policies', locate), {layer: 'workspace', of: spec.id}),
    ...spec.lanes.flatMap(({id, policies}, index) =>
      sitesOf(locateRules(policies, `/lanes/${index}/policies`, locate), {
        layer: 'lane',
        of: id,
        default_decision: policies?.default_decision,
      }),
    ),
    ...packs.flatMap((pack) => sitesOf(pack.rules, {layer: 'pack', of: pack.manifest.id})),
  ];
}

function situationsOf({spec}: WorkspaceSource, registered: readonly RegisteredTool[]): readonly Situation[] {
  const lanes = spec.lanes.map(({id}) => id);
  const tools = registered.map(({name, declaration: {permission}, marks, paths}) => ({
    name,
    permission,
    sink: marks.sink,
    touches: paths?.accesses ?? [],
  }));
  return lanes.flatMap((lane) => [
    ...(['on_claim', 'on_completion'] as const).map((trigger) => ({trigger, lane})),
    ...(['on_tool_request', 'on_evidence_added', 'on_changes', 'on_tool_result'] as const).flatMap((trigger) =>
      tools.map((tool) => ({trigger, lane, tool})),
    ),
  ]);
}
