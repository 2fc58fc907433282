// What would be decided about each tool in a lane, before any input is known: the policy of a lane on one page.
import type {ExecutionContext, KernelRuntime, LaneContext, RegisteredTool} from '@lumenflow/kernel';
import {compileGlobs} from '@lumenflow/kernel/adapters';
import {compileRegex} from '@lumenflow/kernel/node';
import type {HttpPolicyCell, PolicyMatcher, PolicyTrigger} from '@lumenflow/schemas';

type Runtime = Pick<KernelRuntime, 'workspace' | 'explainTool'>;

/** In the order of the tools' names. */
export async function policyMatrix(
  runtime: Runtime,
  context: LaneContext & Pick<ExecutionContext, 'by' | 'is_operator' | 'surface'>,
): Promise<readonly HttpPolicyCell[]> {
  const tools = [...runtime.workspace.tools.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const rules = rulesOnInput(runtime, context.lane_id);
  const cells: HttpPolicyCell[] = [];
  // One at a time: evaluating all at once keeps every evaluation in memory.
  for (const tool of tools) {
    const {name, pack, declaration} = tool;
    const {decision, failure, policy} = await runtime.explainTool(name, undefined, context);
    const isOpen = failure === undefined && decision !== 'deny';
    cells.push({
      tool_name: name,
      pack_id: pack.manifest.id,
      permission: declaration.permission,
      decision,
      ...(policy && {deciding: policy.deciding}),
      ...(failure && {failure}),
      input_rules: isOpen ? rules.filter(({governs}) => governs(tool)).map(({id}) => id) : [],
    });
  }
  return cells;
}

interface InputRule {
  readonly id: string;
  governs(tool: RegisteredTool): boolean;
}

interface AnyRule {
  readonly id: string;
  readonly trigger: PolicyTrigger;
  readonly decision: string;
  readonly when?: unknown;
}

/** Restricting rules of on_tool_request. A pack's rules govern its own tools. */
function rulesOnInput({workspace: {spec, lanes, packs}}: Runtime, laneId: string): readonly InputRule[] {
  const own: readonly AnyRule[] = [...(spec.policies?.rules ?? []), ...(lanes.get(laneId)?.spec.policies?.rules ?? [])];
  const ofPacks = [...packs.values()].flatMap((pack) =>
    pack.rules.map(({rule}) => ({rule: rule as AnyRule, isOf: (tool: RegisteredTool) => tool.pack === pack})),
  );
  return [...own.map((rule) => ({rule, isOf: () => true})), ...ofPacks].flatMap(({rule, isOf}) => {
    const {id, trigger, decision, when} = rule;
    if (trigger !== 'on_tool_request' || decision === 'allow' || !looksAtInput(when)) return [];
    const fits = toolOf(when);
    return [{id, governs: (tool) => isOf(tool) && fits(tool)}];
  });
}

/** A factory's function may look at anything. */
function looksAtInput(when: unknown): boolean {
  return typeof when === 'function' || /"(?:arguments|reads|writes)":/u.test(JSON.stringify(when ?? null));
}

function toolOf(when: unknown): (tool: RegisteredTool) => boolean {
  const {tool: globs, permission} = (typeof when === 'object' ? when : {}) as PolicyMatcher;
  const named = globs === undefined ? undefined : compileGlobs(globs, 'tool', compileRegex);
  return ({name, declaration}) =>
    (named?.ok === true ? named.value(name) : true) && (permission?.includes(declaration.permission) ?? true);
}
