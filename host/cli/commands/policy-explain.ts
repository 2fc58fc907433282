// `lumenflow policy explain`: what would be decided about a call, layer by layer, and what would change it.
// The explanation is made in a task like a call's; the call itself is neither made nor recorded.
import type {Explanation, KernelRuntime, RegisteredTool, TaskView} from '@lumenflow/kernel';
import {actorOf} from '../actor.ts';
import {readCallInput} from '../call-input.ts';
import {openCallSession} from '../call-session.ts';
import type {Command} from '../command.ts';
import {pathVerdicts} from '../explain/path-verdicts.ts';
import {renderExplanation} from '../explain/render-explanation.ts';
import {scopeLayersOf} from '../explain/scope-layers.ts';
import type {ToldExplanation} from '../explain/told-explanation.ts';
import {withHost} from '../with-host.ts';
import {notFound} from './tools-show.ts';

interface Options {
  readonly input?: string;
  readonly lane?: string;
  readonly task?: string;
  readonly as?: string;
}

export const policyExplain: Command<Options> = async (context, [name = '', ...fields], options) =>
  await withHost(context, async (host) => {
    const {runtime} = host;
    const tool = runtime.workspace.tools.get(name);
    if (!tool) throw notFound(name, [...runtime.workspace.tools.keys()]);
    const schema = tool.declaration.input_schema;
    const input = await readCallInput(context, {input: options.input, fields, schema});
    const by = actorOf(context, options.as);
    const session = await openCallSession(host, {by, lane: options.lane, task: options.task});
    const explanation = await runtime.explainTool(name, input, session.context);
    const told = await tell(runtime, {tool, input, taskId: session.context.task_id, explanation});
    await session.end();
    return {data: {...told}, text: () => renderExplanation(told, context.style)};
  });

async function tell(
  runtime: KernelRuntime,
  {tool, input, taskId, explanation}: {tool: RegisteredTool; input: unknown; taskId: string; explanation: Explanation},
): Promise<ToldExplanation> {
  const inspected = await runtime.inspectTask(taskId);
  const task: TaskView | undefined = inspected.success ? inspected.data : undefined;
  return {
    explanation,
    scopes: scopeLayersOf(runtime.workspace, tool, task),
    paths: pathVerdicts(runtime.workspace, tool, {input, task, granted: explanation.granted_scopes}),
  };
}
