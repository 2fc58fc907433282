// Creates a task: its spec is validated and written once, and its hash is in the event log.
import type {Person, TaskSpec} from '@lumenflow/schemas';
import {validateTask} from '@lumenflow/schemas/validators';
import {canonicalJson, tryCanonicalJson} from '../evidence/index.ts';
import type {Kernel} from '../context/kernel.ts';
import {nearestName} from '../names/nearest-name.ts';
import {schemaIssues} from '../schema/schema-issues.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {taskScopeSteps} from '../limits.ts';
import {missingTaint} from '../taint/taint.ts';
import {workBudget} from '../scopes/index.ts';
import {compileTask, type CompiledSpec} from '../tasks/compiled-tasks.ts';
import {readSpec} from '../tasks/read-spec.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {tooComplexGrants} from '../workspace/too-complex-grants.ts';
import {checkIds} from './check-ids.ts';

/** `author`: a principal, the taint of whose sessions the task inherits. */
interface Creation {
  readonly actor: string;
  /** The identity of `actor`, for a person that signed in. */
  readonly person?: Person | undefined;
  readonly author?: string | undefined;
}

export async function createTask(
  kernel: Kernel,
  spec: TaskSpec,
  creation: Creation,
): Promise<TransitionResult<TaskRecord>> {
  const {actor} = creation;
  const refusal = checkIds({by: actor}) ?? checkSpec(kernel, spec);
  if (refusal) return refusal;
  const stored = await kernel.ports.tasks.create(spec);
  if (stored === 'exists') return await adoptOrRefuse(kernel, spec, creation);
  return await recordCreation(kernel, spec, stored.spec_hash, creation);
}

/** Also of what a spec is to be amended to. */
export function checkSpec(kernel: Kernel, spec: TaskSpec): TransitionResult<never> | undefined {
  if (!kernel.ports.specGuard.isIntact())
    return fail(
      'SPEC_TAMPERED',
      'workspace.yaml has changed or is missing since it was loaded: restart to load it again',
    );
  if (!validateTask(spec)) {
    const issues = schemaIssues(validateTask.errors);
    const [first] = issues;
    const place = first?.pointer ? `${first.pointer}: ` : '';
    return fail('INVALID_INPUT', `the task's spec is not valid: ${place}${first?.message ?? ''}`, {issues});
  }
  if (spec.blocked_by?.includes(spec.id) === true) {
    return fail('INVALID_INPUT', `the task \`${spec.id}\` would wait for itself: remove it from \`blocked_by\``);
  }
  const text = tryCanonicalJson(spec);
  if (!text.ok) return fail('INVALID_INPUT', `the task's spec cannot be kept: ${text.problem.message}`);
  const unknown = namesUnknown(kernel, spec);
  if (unknown) return unknown;
  const {task, problems} = compileTask(spec, kernel.policyPorts);
  const errors = problems.filter((problem) => problem.severity === 'error');
  const first = errors[0];
  if (first) return fail('INVALID_INPUT', `${first.where}: ${first.message}`, {problems: errors});
  return spec.declared_scopes && tooComplex(kernel, task);
}

/** The lane and the type must be there. */
function namesUnknown(kernel: Kernel, spec: TaskSpec): TransitionResult<never> | undefined {
  const lanes = [...kernel.workspace.lanes.keys()];
  if (!kernel.workspace.lanes.has(spec.lane_id)) {
    const nearest = nearestName(spec.lane_id, lanes);
    const hint = nearest === undefined ? `the lanes are ${lanes.join(', ')}` : `did you mean \`${nearest}\`?`;
    return fail('LANE_NOT_FOUND', `there is no lane \`${spec.lane_id}\`: ${hint}`, {lanes});
  }
  if (spec.type !== undefined && !kernel.workspace.packOfTaskType.has(spec.type)) {
    const types = [...kernel.workspace.packOfTaskType.keys()];
    return fail(
      'INVALID_INPUT',
      `no loaded pack declares the task type \`${spec.type}\`: there are ${types.join(', ') || 'none'}`,
      {types},
    );
  }
  return undefined;
}

/** Creating tasks must not stall the host: the cost of all tools together is bounded. */
function tooComplex({workspace}: Kernel, task: CompiledSpec): TransitionResult<never> | undefined {
  const lane = workspace.lanes.get(task.spec.lane_id);
  if (!lane) return undefined;
  const {scopes, toolScopes} = task;
  const budget = workBudget(taskScopeSteps);
  const layers = {lane: lane.scopes, task: scopes, ...(toolScopes && {taskOf: toolScopes}), budget};
  const [first] = tooComplexGrants(workspace, layers);
  if (!first) return undefined;
  const message = "the task's `declared_scopes` intersect with those around them in too many patterns";
  return fail('INVALID_INPUT', `${message}: use fewer \`*\` and \`**\`, or fewer scopes`, {tool: first.tool.name});
}

/** A spec without its event is what a crash between the two left: the same spec takes it over. */
async function adoptOrRefuse(
  kernel: Kernel,
  spec: TaskSpec,
  creation: Creation,
): Promise<TransitionResult<TaskRecord>> {
  await kernel.ports.events.refresh();
  if (kernel.state.tasks.has(spec.id)) return exists(spec);
  const stored = await readSpec(kernel.ports.tasks, spec.id);
  if (stored === 'unreadable') {
    const message = `the stored spec of \`${spec.id}\` is damaged, and no event records it`;
    return fail('TASK_SPEC_CHANGED', `${message}: remove its file, or use another id`, {task_id: spec.id});
  }
  if (!stored || canonicalJson(stored.spec) !== canonicalJson(spec)) return exists(spec);
  return await recordCreation(kernel, stored.spec, stored.spec_hash, creation);
}

/** Of simultaneous creations in all processes, the first one wins. */
async function recordCreation(
  kernel: Kernel,
  spec: TaskSpec,
  specHash: string,
  {actor, person, author}: Creation,
): Promise<TransitionResult<TaskRecord>> {
  const isFirst = await kernel.ports.events.transact(() => {
    if (kernel.state.tasks.has(spec.id)) return {events: [], result: false};
    const timestamp = kernel.ports.clock.timestamp();
    const from = author === undefined ? [] : [`actor ${author}`];
    const [first, ...others] = missingTaint(kernel.state.taint, {from, to: [`task ${spec.id}`]});
    const tainting = first && {type: 'taint_added' as const, timestamp, actor, taints: [first, ...others] as const};
    const event = {
      type: 'task_created' as const,
      timestamp,
      actor,
      ...(person && {person}),
      task_id: spec.id,
      lane_id: spec.lane_id,
      ...(spec.type !== undefined && {task_type: spec.type}),
      spec_hash: specHash,
    };
    return {events: tainting ? [event, {...tainting, taints: [...tainting.taints]}] : [event], result: true};
  });
  const record = kernel.state.tasks.get(spec.id);
  return isFirst && record ? succeed(record) : exists(spec);
}

function exists(spec: TaskSpec): TransitionResult<never> {
  return fail('TASK_EXISTS', `there is a task \`${spec.id}\` already`, {task_id: spec.id});
}
