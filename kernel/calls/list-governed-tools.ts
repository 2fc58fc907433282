// The tools that a session may see: those that its lane offers and that scopes and policy allow, or would allow after an approval.
import type {Kernel} from '../context/kernel.ts';
import type {GovernedTool} from '../dispatch/tool-reach.ts';
import {evaluatePolicy} from '../policy/index.ts';
import {isRefusal} from './call.ts';
import {toolQuestion} from './policy-question.ts';
import {simulateCall, type SimulatedRequest} from './simulate-call.ts';

/** In order of `among`, default all names in order. Decided without arguments: a rule on arguments may still refuse a call. */
export async function listGovernedTools(
  kernel: Kernel,
  context: SimulatedRequest['context'],
  among?: readonly string[],
): Promise<readonly GovernedTool[]> {
  const names = among ?? [...kernel.workspace.tools.keys()].toSorted();
  const listed: GovernedTool[] = [];
  // One at a time: evaluating all at once keeps every evaluation in memory, and the cost for each tool grows with their number.
  for (const name of names) {
    const tool = await governedTool(kernel, name, context);
    if (tool !== undefined) listed.push(tool);
  }
  return listed;
}

async function governedTool(
  kernel: Kernel,
  name: string,
  context: SimulatedRequest['context'],
): Promise<GovernedTool | undefined> {
  const narrowed = await simulateCall(kernel, {name, input: undefined, context});
  if (isRefusal(narrowed) || !narrowed.lane.offers(narrowed.tool)) return undefined;
  const {decision, decisions} = evaluatePolicy(await toolQuestion(kernel, narrowed));
  if (decision === 'deny') return undefined;
  return {tool: narrowed.tool, decision, granted_scopes: narrowed.scope_enforced, policy_decisions: decisions};
}
