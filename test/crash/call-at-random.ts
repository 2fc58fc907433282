// The load: callers that call tools, and create, claim and complete tasks, at random; each reports its acknowledgements.
import type {ExecutionContext, KernelRuntime} from '@lumenflow/kernel';
import type {ToolOutput} from '@lumenflow/schemas';
import type {Acknowledgement, RefusedTransition} from './acknowledgement.ts';
import type {Random} from './random.ts';

export interface Load {
  readonly runtime: KernelRuntime;
  readonly random: Random;
  /** Begins the ids of this process's tasks. */
  readonly name: string;
  readonly callers: number;
  /** Whether callers continue with another operation. */
  goesOn(): boolean;
  acknowledge(reported: Acknowledgement): void;
  /** Called for answers without acknowledgement, because the evidence could not be written, with what must not exist then. */
  refuse?(message: string, refused?: RefusedTransition): void;
  /** Whether callers compete with other processes for tasks of the same ids. */
  readonly competes?: boolean;
  /** Whether some calls last. */
  readonly slow?: boolean;
}

/** Ends when all callers have ended. Rejects if a caller got an invalid answer. */
export async function callAtRandom(load: Load): Promise<void> {
  const context = await ownContext(load);
  if (context === undefined) return;
  let things = 0;
  const caller = async (): Promise<void> => {
    while (load.goesOn()) {
      things += 1;
      await doOne(load, context, things);
    }
  };
  await Promise.all(Array.from({length: load.callers}, caller));
}

async function doOne(load: Load, context: ExecutionContext, number: number): Promise<void> {
  const chance = load.random.next();
  if (chance < 0.08) return await doTask(load, load.competes ? `shared-${number}` : `${load.name}-${number}`);
  const tool = toolFor(load, (chance - 0.08) / 0.92);
  // Now and then an input too large to be packed with others.
  const padding = load.random.next() < 0.01 ? 'x'.repeat(70_000) : '';
  const output = await load.runtime.executeTool(tool, {path: `${load.name}/${number}`, padding}, context);
  acknowledgeCall(load, tool, output);
}

function toolFor({slow}: Load, chance: number): string {
  if (chance < 0.55) return 'effects:write';
  if (chance < 0.85) return 'effects:read';
  if (chance < 0.9) return 'effects:fail';
  if (chance < 0.95 || slow !== true) return 'effects:forbidden';
  return 'effects:slow';
}

function acknowledgeCall(load: Load, tool: string, {success, error, metadata}: ToolOutput): void {
  if (error?.code === 'EVIDENCE_UNAVAILABLE') {
    load.refuse?.(error.message);
    return;
  }
  const expected =
    tool === 'effects:fail' ? 'TOOL_EXECUTION_FAILED' : tool === 'effects:forbidden' ? 'POLICY_DENIED' : undefined;
  if (error?.code !== expected || success !== (expected === undefined) || metadata?.receipt_id === undefined) {
    throw new Error(`\`${tool}\` answered ${JSON.stringify({success, error, metadata})}`);
  }
  const result = success ? 'success' : expected === 'POLICY_DENIED' ? 'denied' : 'failure';
  load.acknowledge({kind: 'call', receipt_id: metadata.receipt_id, tool, result});
}

/** Creates a task, amends it now and then, claims it and, as often as not, completes it. */
async function doTask(load: Load, task_id: string): Promise<void> {
  const {runtime, name} = load;
  const holder = {task_id, by: name, session_id: `${name}-session`};
  const created = await runtime.createTask({id: task_id, lane_id: 'core'}, {by: name});
  if (created.success) load.acknowledge({kind: 'created', task_id});
  else if (!isBeaten(load, created.error, {kind: 'created', task_id})) return;
  if (load.random.next() < 0.3) {
    const amended = await runtime.amendTask({task_id, by: name, changes: {title: name}});
    if (!amended.success && !isBeaten(load, amended.error)) return;
  }
  const claimed = await runtime.claimTask(holder);
  if (!claimed.success) return void isBeaten(load, claimed.error, {kind: 'claimed', task_id});
  load.acknowledge({kind: 'claimed', task_id, run_id: claimed.data.run_id});
  if (load.random.next() < 0.5) return;
  const completed = await runtime.completeTask(holder);
  if (completed.success) load.acknowledge({kind: 'done', task_id});
  else isBeaten(load, completed.error, {kind: 'done', task_id});
}

const codesOfBeaten: ReadonlySet<string> = new Set([
  'TASK_EXISTS',
  'TASK_NOT_CLAIMABLE',
  'TASK_NOT_FOUND',
  'TASK_NOT_READY',
  'TASK_SPEC_CHANGED',
]);

interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Another caller was faster, which happens only to competing callers. Besides this, only an unwritable log is a valid failure. */
function isBeaten(load: Load, {code, message}: Failure, refused?: RefusedTransition): boolean {
  if (load.competes === true && codesOfBeaten.has(code)) return true;
  if (code !== 'EVIDENCE_UNAVAILABLE') throw new Error(`a transition answered ${code}: ${message}`);
  load.refuse?.(message, refused);
  return false;
}

/** A task to call from, newly claimed; undefined when the log cannot be written. */
async function ownContext(load: Load): Promise<ExecutionContext | undefined> {
  const {runtime, name} = load;
  const holder = {task_id: name, by: name, session_id: `${name}-session`};
  const created = await runtime.createTask({id: name, lane_id: 'core'}, {by: name});
  if (!created.success) return void isBeaten(load, created.error, {kind: 'created', task_id: name});
  load.acknowledge({kind: 'created', task_id: name});
  const claimed = await runtime.claimTask(holder);
  if (!claimed.success) return void isBeaten(load, claimed.error, {kind: 'claimed', task_id: name});
  const {run_id, session_id} = claimed.data;
  load.acknowledge({kind: 'claimed', task_id: name, run_id});
  return {task_id: name, run_id, session_id};
}
