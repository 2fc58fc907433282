// Handlers of the pack: what each was given, or what the kernel answered.
import {ToolError} from '@lumenflow/pack-sdk';

async function ask({callTool}, verb, input) {
  const {success, data, error} = await callTool(`kernel:${verb}`, input);
  if (success) return data;
  throw new ToolError(error.code, error.message, error.details);
}

export async function create({id, ...more}, context) {
  await ask(context, 'create-task', {id, lane_id: context.lane_id, type: 'unit', title: more.title ?? id});
  return {id, ...more};
}

export async function claim({id}, context) {
  const {session_id} = await ask(context, 'claim-task', {task_id: id});
  return {id, session_id};
}

export function where(_input, {task_id}) {
  return {task_id};
}

export async function end({id, how}, context) {
  const reason = how === 'block' || how === 'release' ? {reason: 'as reported'} : {};
  const {state} = await ask(context, `${how}-task`, {task_id: id, ...reason});
  return {state};
}

export async function gates({only = ['lint', 'test'], dry_run = false}, {progress}) {
  for (const gate of only) await progress({gate, state: 'passed'});
  return {passed: only, dry_run};
}
