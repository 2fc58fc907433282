// Rules of a lane that are looser than the lane's own default: unless the workspace allows the lane to loosen, they never count. Their
// author meant "only these", so the warning shows how to write that.
import type {PolicyRule, WorkspaceSpec} from '@lumenflow/schemas';
import {compareStrictness} from '../policy/index.ts';
import type {Problem} from '../problem.ts';

interface Written {
  readonly spec: WorkspaceSpec;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

export function powerlessRules({spec, locate}: Written): readonly Problem[] {
  const {default_decision, allow_loosening = []} = spec.policies ?? {};
  // The lane sets the baseline itself, or is let loosen: then its rules adjust its own default.
  if (default_decision === undefined || allow_loosening.includes('lane')) return [];
  return spec.lanes.flatMap(({id, policies}, index): readonly Problem[] => {
    const own = policies?.default_decision;
    if (own === undefined) return [];
    const looser = (policies?.rules ?? []).filter(
      ({trigger, decision}) => trigger === 'on_tool_request' && compareStrictness(decision, own) < 0,
    );
    if (looser.length === 0) return [];
    const names = looser.map((rule) => `\`${rule.id}\``).join(', ');
    const none = looser.length === 1 ? `rule ${names} never counts` : `rules ${names} never count`;
    return [
      {
        code: 'POLICY_RULE_WITHOUT_EFFECT',
        severity: 'warning',
        message: `${none}: the lane's own \`default_decision: ${own}\` is stricter, and a lane may only tighten`,
        where: locate(`/lanes/${index}/policies/default_decision`),
        help: `${insteadOf(id, own, looser)}; or name \`lane\` in \`policies.allow_loosening\``,
      },
    ];
  });
}

/** The one rule that says "all but these". */
function insteadOf(lane: string, decision: string, looser: readonly PolicyRule[]): string {
  const conditions = looser.flatMap(({when}) => when ?? []);
  if (conditions.length < looser.length) return 'remove the `default_decision`: one of the rules fits every call';
  const [first] = conditions;
  const matcher = conditions.length === 1 ? first : {any: conditions};
  const rule = {id: `${lane}-others`, trigger: 'on_tool_request', decision, when: {not: matcher}};
  return `write, instead of the \`default_decision\`, the rule \`- ${flow(rule)}\``;
}

/** YAML in one line, with quotes only where a text needs them. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${flow(key)}: ${flow(item)}`)
      .join(', ')}}`;
  }
  const text = JSON.stringify(value) ?? 'null';
  return typeof value === 'string' && /^[a-z][\w:-]*\w$/iu.test(value) && !isKeyword(value) ? value : text;
}

function isKeyword(text: string): boolean {
  return /^(?:true|false|null|yes|no|on|off)$/iu.test(text);
}
