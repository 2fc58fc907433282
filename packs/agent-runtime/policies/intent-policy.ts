// Intents as policy: what an agent's session may call. A call belongs to an agent's session when its
// execution_metadata carries a key that begins with `agent_`; calls of people and programs are not looked at.
import {definePolicyFactory, type PolicyEvaluationContext, type PolicyFactory} from '@lumenflow/pack-sdk';
import type {Intent, PackConfig} from '../pack-config.ts';

export const intentPolicy: PolicyFactory<PackConfig> = definePolicyFactory(({config}) => {
  const intents = new Map(Object.entries(config?.intents ?? {}));
  return [
    {
      id: 'agent-runtime.intent.deny',
      trigger: 'on_tool_request',
      decision: 'deny',
      reason: "the agent's intent is missing or unknown, or does not list this tool: see `agent_runtime.intents`",
      when: (context) => isAgentCall(context) && judge(intents, context) === 'deny',
    },
    {
      id: 'agent-runtime.intent.approval',
      trigger: 'on_tool_request',
      decision: 'approval_required',
      reason: "the agent's intent lists this tool under `approval_required_tools`",
      when: (context) => isAgentCall(context) && judge(intents, context) === 'approval_required',
    },
  ];
});

/** The turn itself is no call that a model asked for, unless it is counted as one. */
function isAgentCall({tool_name: name, execution_metadata: metadata = {}}: PolicyEvaluationContext): boolean {
  if (name === 'agent:execute-turn' && !Object.hasOwn(metadata, 'agent_tool_call_count')) return false;
  return Object.keys(metadata).some((key) => key.startsWith('agent_'));
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
