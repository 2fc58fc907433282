// How taint spreads by a call. What its session, its task and the store that it uses may contain is what it may return and write: so the
// session, the task, a store that it writes and a task that it creates are tainted too. No session, task or subagent loses it.
import {isBuiltinTool} from '../builtin-tools/run-builtin-tool.ts';
import {isRecord} from '../policy/is-record.ts';
import type {Kernel} from '../context/kernel.ts';
import type {TaintFlow, TaintOrigin} from '../taint/taint.ts';
import type {FoundCall} from './call.ts';
import {callerOf} from './caller-of.ts';

type TaintedCall = Pick<FoundCall, 'receipt_id' | 'request' | 'run' | 'task' | 'tool'>;

export function taintFlow(call: TaintedCall): TaintFlow {
  const {tool, receipt_id} = call;
  const {store, permission} = tool.declaration;
  const own = ownNames(call);
  const {read, written} = sharedNames(call);
  const used = store === undefined ? [] : [`store ${tool.pack.manifest.id}/${store}`];
  const tasks = describedTasks(call);
  return {
    from: [...own, ...read, ...(tool.marks.source === 'trusted' ? [] : used), ...tasks],
    to: [...own, ...written, `actor ${callerOf(call)}`, ...(permission === 'read' ? [] : [...used, ...tasks])],
    source: tool.marks.source === 'untrusted' ? {tool_name: tool.name, receipt_id} : undefined,
  };
}

/** Of its session and its task, each source once. */
export function taintOrigins({state}: Kernel, call: Pick<FoundCall, 'run' | 'task'>): readonly TaintOrigin[] {
  const own = ownNames(call).flatMap((name) => state.taint.of(name));
  const shared = sharedNames(call).read.flatMap((name) => state.taint.of(name));
  const all = [...shared.map((origin) => ({...origin, inherited: true as const})), ...own];
  if (all.length < 2) return all;
  return [...new Map(all.map((origin) => [`${origin.tool_name} ${origin.receipt_id}`, origin])).values()];
}

/**
 * A program that a session started runs in its own session. It gets its inputs from the one that started it, which reads what the program returns.
 */
function sharedNames({run, task}: Pick<FoundCall, 'run' | 'task'>): Readonly<Record<'read' | 'written', string[]>> {
  const starter = task.spec.program?.from_session;
  if (starter === undefined) return {read: [`programs ${run.session_id}`], written: []};
  return {read: [`session ${starter}`, `programs ${starter}`], written: [`programs ${starter}`]};
}

function ownNames({run, task}: Pick<FoundCall, 'run' | 'task'>): readonly string[] {
  return [`session ${run.session_id}`, `task ${task.spec.id}`];
}

/** A task's description carries what its author has read. */
function describedTasks({tool, request: {input}}: TaintedCall): readonly string[] {
  if (!isBuiltinTool(tool) || !isRecord(input)) return [];
  const {id, task_id} = input;
  const named = {'kernel:create-task': id, 'kernel:amend-task': task_id, 'kernel:show-task': task_id}[tool.name];
  return typeof named === 'string' ? [`task ${named}`] : [];
}
