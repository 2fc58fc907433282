// Intents as policy: what an agent's session may call. The kernel applies a pack's rules to the pack's own tools and to every
// call in tasks of its types. So a call of another tool that arrives here is part of an `agent-session`.
import {definePolicyFactory, type PolicyEvaluationContext, type PolicyFactory} from '@lumenflow/pack-sdk';
import type {Intent, PackConfig} from '../pack-config.ts';
import {limitRules} from './limit-rules.ts';
import {isOwnTool} from './own-tools.ts';

export const agentPolicy: PolicyFactory<PackConfig> = definePolicyFactory(({config}) => {
  const intents = new Map(Object.entries(config?.intents ?? {}));
  return [
    {
      id: 'agent-runtime.intent.deny',
      trigger: 'on_tool_request',
      decision: 'deny',
      reason: "the agent's intent is missing or unknown, or does not list this tool: see `agent_runtime.intents`",
      when: (context) => isAskedFor(context) && judge(intents, context) === 'deny',
    },
    {
      id: 'agent-runtime.intent.approval',
      trigger: 'on_tool_request',
      decision: 'approval_required',
      reason: "the agent's intent lists this tool under `approval_required_tools`",
      when: (context) => isAskedFor(context) && judge(intents, context) === 'approval_required',
    },
    ...limitRules(config?.limits),
  ];
});

/**
 * True for calls that a model requested. The calls that run a session count only if they are marked as requested. A kernel tool
 * that an admitted tool calls is a part of that tool. All others always count, so a caller's claims have no effect.
 */
function isAskedFor({
  tool_name: name = '',
  execution_metadata: metadata = {},
  caller,
}: PolicyEvaluationContext): boolean {
  if (caller !== undefined && name.startsWith('kernel:')) return false;
  return !isOwnTool(name) || Object.hasOwn(metadata, 'agent_tool_call_count');
}

function judge(
  intents: ReadonlyMap<string, Intent>,
  {tool_name: name, execution_metadata: metadata}: PolicyEvaluationContext,
): 'allow' | 'deny' | 'approval_required' {
  const asked = metadata?.['agent_intent'];
  const intent = typeof asked === 'string' ? intents.get(asked) : undefined;
  if (intent === undefined || name === undefined) return 'deny';
  if (intent.approval_required_tools?.includes(name) === true) return 'approval_required';
  return intent.allow_tools?.includes(name) === true ? 'allow' : 'deny';
}
