// The tools that an agent is offered: those that policy allows for its intents, with or without approval.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {AgentSession} from './agent-loop-request.ts';

export interface CatalogTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: object;
}

/** Sorted by name. */
export async function discoverTools(
  runtime: Pick<KernelRuntime, 'listGovernedTools'>,
  {context, view}: AgentSession,
): Promise<readonly CatalogTool[]> {
  const found = new Map<string, CatalogTool>();
  for (const {id} of view.intent_catalog) {
    // Counted like a call that a model requests, because that is what the decision is about.
    const execution_metadata = {agent_intent: id, agent_tool_call_count: 1};
    for (const {tool} of await runtime.listGovernedTools({...context, surface: 'agent', execution_metadata})) {
      const {name, description, input_schema = {type: 'object'}} = tool.declaration;
      found.set(name, {name, description, input_schema});
    }
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
