// Look up: the tool exists and may be called from outside; the task is active for exactly this run and session, or about
// to be where the kernel checks a claim.
import type {RenamedTool} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {isPromise, type MaybePromise} from '../maybe-promise.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {nearestName} from '../names/nearest-name.ts';
import type {WithheldTool} from '../workspace/withheld-tools.ts';
import type {CompiledTask} from '../tasks/compiled-tasks.ts';
import type {TaskRecord, TaskRun} from '../tasks/task-record.ts';
import {grow, isRefusal, refuse, type CallRequest, type FoundCall, type ReceivedCall, type Refusal} from './call.ts';
import {roleOf} from './role-of.ts';

/** The tool exists, and its caller may see it. */
export type LookedUpCall = ReceivedCall & Pick<FoundCall, 'tool'>;

export function findTool(kernel: Kernel, call: ReceivedCall): MaybePromise<FoundCall | Refusal> {
  const lookedUp = lookUpTool(kernel, call);
  if (isRefusal(lookedUp)) return lookedUp;
  const refreshing = kernel.ports.events.refresh();
  return isPromise(refreshing) ? refreshing.then(() => findTask(kernel, lookedUp)) : findTask(kernel, lookedUp);
}

export function lookUpTool(kernel: Kernel, call: ReceivedCall): LookedUpCall | Refusal {
  const {name} = call.request;
  const tool = kernel.workspace.tools.get(name);
  if (!tool) return toolNotFound(kernel, call);
  const isFromOutside = !isMadeByTool(call.request);
  if (isFromOutside && tool.declaration.internal_only === true) {
    const renamed = kernel.workspace.renamed.get(name);
    if (renamed !== undefined) return refuseRenamed(kernel, {...call, tool}, renamed);
    return refuse({...call, tool}, 'TOOL_NOT_FOUND', `tool \`${name}\` is internal: only other tools may call it`);
  }
  const withheld = isFromOutside ? withheldFrom(kernel, call, name) : undefined;
  if (withheld) return refuse({...call, tool}, 'TOOL_NOT_FOUND', withheld.message, {remedy: withheld.remedy});
  return grow(call, {tool: variantFor(tool, call.request.input)});
}

/** By the code of a tool, or by the kernel for one. What runs a caller's code calls as that caller. */
function isMadeByTool({parent, checks, previews}: CallRequest): boolean {
  return (parent !== undefined && parent.tool.runs_caller_code !== true) || (checks ?? previews) !== undefined;
}

/** Any other value than those that are known brings nothing. */
function variantFor(tool: RegisteredTool, input: unknown): RegisteredTool {
  if (tool.by_input === undefined) return tool;
  const {property, default: standard, variants} = tool.by_input;
  const value: unknown = Object.hasOwn(Object(input), property) ? Object(input)[property] : standard;
  return (typeof value === 'string' ? variants.get(value) : undefined) ?? tool;
}

function toolNotFound(kernel: Kernel, call: ReceivedCall): Refusal {
  const {name} = call.request;
  const renamed = kernel.workspace.renamed.get(name);
  if (renamed !== undefined) return refuseRenamed(kernel, call, renamed);
  const nearest = nearestName(name, callableNames(kernel, call));
  return refuse(
    call,
    'TOOL_NOT_FOUND',
    nearest === undefined
      ? `there is no tool \`${name}\`: run \`lumenflow tools list\` to see the tools`
      : `there is no tool \`${name}\`: did you mean \`${nearest}\`?`,
    nearest === undefined ? undefined : {nearest},
  );
}

/** The tools that this caller can call: a hint must not lead to another refusal. */
function callableNames(kernel: Kernel, call: ReceivedCall): readonly string[] {
  const {tools} = kernel.workspace;
  if (isMadeByTool(call.request)) return [...tools.keys()];
  return [...tools.values()]
    .filter(({name, declaration}) => declaration.internal_only !== true && !withheldFrom(kernel, call, name))
    .map(({name}) => name);
}

function withheldFrom({workspace}: Kernel, {request}: ReceivedCall, name: string): WithheldTool | undefined {
  return roleOf(request.context) === 'agent' ? workspace.withheld.get(name) : undefined;
}

function refuseRenamed(
  kernel: Kernel,
  call: Partial<LookedUpCall> & ReceivedCall,
  {tool, input}: RenamedTool,
): Refusal {
  const {name} = call.request;
  const given = Object.entries(input ?? {}).map(([key, value]) => `\`${key}: ${JSON.stringify(value)}\``);
  const withInput = given.length === 0 ? '' : `, with ${given.join(', ')}`;
  const withheld = withheldFrom(kernel, call, tool);
  const instead = withheld === undefined ? `call \`${tool}\` instead${withInput}` : withheld.message;
  const remedy = withheld && `${withheld.remedy}${withInput}`;
  const message = `\`${name}\` is now \`${tool}\`: ${instead}`;
  return refuse(call, 'TOOL_NOT_FOUND', message, {
    renamed_to: tool,
    ...(input && {with: input}),
    ...(remedy && {remedy}),
  });
}

function findTask(kernel: Kernel, call: LookedUpCall): MaybePromise<FoundCall | Refusal> {
  const {context, checks} = call.request;
  const taskId = context.task_id;
  const record = kernel.state.tasks.get(taskId);
  const notActive = (why: string): Refusal =>
    refuse(call, 'TASK_NOT_ACTIVE', `task \`${taskId}\` ${why}`, {
      task_id: taskId,
      state: record?.state ?? 'missing',
    });
  if (!record) return notActive('does not exist: create and claim it first');
  const run = runOf(record, checks) ?? endedRun(call);
  if (!run) return notActive(`is ${record.state}: only an active task may call tools`);
  if (run.run_id !== context.run_id || run.session_id !== context.session_id) {
    return notActive('belongs to another run or session');
  }
  const lane = kernel.workspace.lanes.get(record.lane_id);
  if (!lane) return notActive(`is in lane \`${record.lane_id}\`, which workspace.yaml does not have`);
  const withTask = (task: CompiledTask | 'changed'): FoundCall | Refusal => {
    if (task === 'changed') {
      const message = `the spec of task \`${taskId}\` is not the one it was created with`;
      return refuse(call, 'SPEC_TAMPERED', message, {task_id: taskId});
    }
    return grow(call, {task, run, lane});
  };
  const task = kernel.tasks.get(record);
  return isPromise(task) ? task.then(withTask) : withTask(task);
}

/** The run of a call that ended its own task and reports what happened. */
function endedRun({tool, request: {parent}}: LookedUpCall): TaskRun | undefined {
  return tool.declaration.after_task === true ? parent?.run : undefined;
}

/** Of an active task, or the one that the claim which is checked would make of a ready task. */
function runOf({state, run}: TaskRecord, checks: CallRequest['checks']): TaskRun | undefined {
  if (state === 'active') return run;
  return state === 'ready' && checks?.kind === 'claim' ? checks.run : undefined;
}
