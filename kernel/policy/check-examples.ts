// The examples written with a rule: each is put to the rule itself, apart from its layer.
import type {PolicyExample} from '@lumenflow/schemas';
import {applyRule} from './apply-rule.ts';
import type {CompiledRule} from './compiled-layer.ts';
import {isRecord} from './is-record.ts';
import type {MatcherSite} from './matcher-site.ts';
import {matcherTable} from './matchers/matcher-table.ts';
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';
import type {PolicyRequest} from './policy-request.ts';
import type {IndexedRule} from './rule-index.ts';

/** What became of one example. */
export interface ExampleOutcome {
  readonly expect: PolicyExample['expect'];
  /** The rule's own decision, or `no_match`. */
  readonly given: PolicyExample['expect'];
}

/** Reports examples that fail; `expect` is the rule's own decision, or `no_match`. */
export function checkExamples(examples: readonly unknown[], indexed: IndexedRule, site: MatcherSite): void {
  const {decision, rule_id} = indexed.rule.statement.said;
  for (const [index, example] of examples.entries()) {
    const pointer = `/examples/${index}`;
    if (!isExample(example)) {
      site.reject(pointer, 'POLICY_RULE_INVALID', 'an example has a `call` and what to `expect`');
      continue;
    }
    const {expect, given} = tryExample(example, indexed, site);
    if (given === expect) continue;
    const message = `rule \`${rule_id}\` gives \`${given}\` for this example, not \`${expect}\``;
    const help = `change the rule's \`when\` or the example; a rule gives its own decision (\`${decision}\`) or \`no_match\``;
    site.reject(pointer, 'POLICY_EXAMPLE_FAILED', message, help);
  }
}

export function tryExample(
  {call, expect}: PolicyExample,
  {triggers, rule}: IndexedRule,
  ports: Pick<PolicyCompilerPorts, 'describeTool'>,
): ExampleOutcome {
  return {expect, given: answerOf(rule, requestOf(call, triggers, ports))};
}

function isExample(value: unknown): value is PolicyExample {
  return isRecord(value) && isRecord(value['call']) && typeof value['expect'] === 'string';
}

/** What the example says, and what follows from its tool. */
function requestOf(
  call: PolicyExample['call'],
  [trigger = 'on_tool_request']: IndexedRule['triggers'],
  {describeTool}: Pick<PolicyCompilerPorts, 'describeTool'>,
): PolicyRequest {
  const tool = call.tool === undefined ? undefined : describeTool?.(call.tool);
  const read = tool?.read(call.arguments);
  const parts = Object.values(matcherTable).map((key) =>
    key.example(read === undefined ? call : {...call, arguments: read.value}),
  );
  const said = parts.flatMap(({touched = []}) => touched);
  const touched = said.length > 0 ? said : (read?.touched ?? []);
  return {
    permission: tool?.permission,
    sink: tool?.sink,
    ...Object.assign({}, ...parts),
    ...(touched.length > 0 && {touched}),
    used: () => call.used ?? 0,
    context: Object.assign({trigger, run_id: 'example'}, ...parts.map(({context}) => context)),
  };
}

function answerOf(rule: CompiledRule, request: PolicyRequest): PolicyExample['expect'] {
  const tool = request.context.tool_name;
  const governs = rule.governsTool === undefined || (tool !== undefined && rule.governsTool(tool));
  return governs ? (applyRule(rule, request).statement?.said.decision ?? 'no_match') : 'no_match';
}
