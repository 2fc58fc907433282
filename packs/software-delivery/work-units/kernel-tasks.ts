// The kernel tasks of the work units. A task has the id of its work unit. Each method returns the output of a kernel tool or
// throws its error.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../nested-calls/call-or-throw.ts';
import {codePathScope} from '../overlaps/code-path-pattern.ts';
import {networkOf} from '../capabilities/network-capabilities.ts';
import type {PackConfig} from '../pack-config.ts';
import {specFolder} from './spec-place.ts';
import type {WuSpec} from './wu-spec.ts';

export interface LaneView {
  readonly id: string;
  readonly title?: string;
  readonly wip_limit?: number;
  readonly allowed_scopes: readonly PathScope[];
  /** Ids of the tasks that are active or blocked. */
  readonly in_progress: readonly string[];
}

/** Only the type of a network scope is used. */
export interface PathScope {
  readonly type: string;
  readonly pattern?: string;
  readonly access?: 'read' | 'write';
}

export interface KernelTask {
  readonly state: 'ready' | 'active' | 'blocked' | 'done' | 'cancelled';
  /** The session that holds the task while it is active or blocked. */
  readonly holder?: string;
  /** Time of the holder's latest call in it; ISO 8601. */
  readonly active_at?: string;
}

interface TaskRecord extends Pick<KernelTask, 'state' | 'active_at'> {
  readonly task_id: string;
  readonly run?: {readonly session_id: string};
}

export interface KernelTasks {
  create(spec: WuSpec): Promise<void>;
  /** Replaces the spec of a ready task. */
  amend(spec: WuSpec): Promise<void>;
  claim(id: string): Promise<void>;
  /** `heldBy` if it is not the calling session. */
  block(id: string, reason: string, heldBy: string): Promise<void>;
  unblock(id: string, heldBy: string): Promise<void>;
  release(id: string, reason: string, heldBy: string): Promise<void>;
  /** Of a ready task. */
  cancel(id: string, reason: string): Promise<void>;
  /** Undefined if there is none. */
  find(id: string): Promise<KernelTask | undefined>;
  /** By id; missing tasks are omitted. */
  list(ids: readonly string[]): Promise<ReadonlyMap<string, KernelTask>>;
  /** The same with `active_at`, for which the kernel reads the evidence of each task. */
  listActive(ids: readonly string[]): Promise<ReadonlyMap<string, KernelTask>>;
  /** All that are neither done nor cancelled. */
  listOpen(): Promise<ReadonlyMap<string, KernelTask>>;
  lanes(): Promise<readonly LaneView[]>;
}

type KernelContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config'>;

const pageMax = 1000;

/** Every method throws the kernel's error as a ToolError with its code. */
export function kernelTasks(context: KernelContext): KernelTasks {
  const ask = async (verb: string, input: object): Promise<unknown> =>
    await callOrThrow(context, `kernel:${verb}`, input);
  const list = async (ids: readonly string[], more: object = {}): Promise<ReadonlyMap<string, KernelTask>> => {
    const found = new Map<string, KernelTask>();
    for (let start = 0; start < ids.length; start += pageMax) {
      const page = {task_ids: ids.slice(start, start + pageMax), limit: pageMax, ...more};
      const {tasks} = (await ask('list-tasks', page)) as {readonly tasks: readonly TaskRecord[]};
      for (const task of tasks) found.set(task.task_id, kernelTaskOf(task));
    }
    return found;
  };
  return {
    async create(spec) {
      const {id, lane: lane_id} = spec;
      await ask('create-task', {id, lane_id, type: 'work-unit', ...changeable(spec, context.config)});
    },
    async amend(spec) {
      await ask('amend-task', {task_id: spec.id, ...changeable(spec, context.config)});
    },
    claim: async (id) => void (await ask('claim-task', {task_id: id})),
    block: async (id, reason, held_by) => void (await ask('block-task', {task_id: id, reason, held_by})),
    unblock: async (id, held_by) => void (await ask('unblock-task', {task_id: id, held_by})),
    release: async (id, reason, held_by) => void (await ask('release-task', {task_id: id, reason, held_by})),
    cancel: async (id, reason) => void (await ask('cancel-task', {task_id: id, reason})),
    find: async (id) => (await list([id])).get(id),
    list: async (ids) => await list(ids),
    listActive: async (ids) => await list(ids, {with_activity: true}),
    async listOpen() {
      const found = new Map<string, KernelTask>();
      let after: string | undefined;
      do {
        const page = {states: ['ready', 'active', 'blocked'], limit: pageMax, ...(after !== undefined && {after})};
        const read = (await ask('list-tasks', page)) as {readonly tasks: readonly TaskRecord[]; next_after?: string};
        for (const task of read.tasks) found.set(task.task_id, kernelTaskOf(task));
        after = read.next_after;
      } while (after !== undefined);
      return found;
    },
    lanes: async () => ((await ask('show-workspace', {})) as {readonly lanes: readonly LaneView[]}).lanes,
  };
}

function kernelTaskOf({state, run, active_at}: TaskRecord): KernelTask {
  const isHeld = state === 'active' || state === 'blocked';
  return {state, ...(isHeld && run && {holder: run.session_id}), ...(active_at !== undefined && {active_at})};
}

/** The work unit's data in the kernel task. */
function changeable({title, description, id, code_paths}: WuSpec, config: PackConfig): object {
  const write = (pattern: string): object => ({type: 'path', pattern, access: 'write'});
  const worktree = `worktrees/${id.toLowerCase()}`;
  return {
    title,
    description,
    declared_scopes: [
      {type: 'path', pattern: '**', access: 'read'},
      ...code_paths.map((path) => write(`${worktree}/${codePathScope(path)}`)),
      // Git's data for the worktree, and specs of work units that are created during the work.
      write('.git/**'),
      write(`${specFolder(config)}/**`),
      ...networkScope(config),
    ],
    // After the merge, wu:done updates the person's checkout and removes the worktree. No other call can write either.
    tool_scopes: {
      'wu:update-checkout': code_paths.map((path) => write(codePathScope(path))),
      'wu:remove-worktree': [
        write(`${worktree}/**`),
        write(`${worktree}/.git`),
        write(`.git/worktrees/${id.toLowerCase()}/gitdir`),
        write(`.git/worktrees/${id.toLowerCase()}/commondir`),
      ],
    },
  };
}

/** For the tools that reach remotes and the forge. */
function networkScope(config: PackConfig): readonly object[] {
  const allowlist_entries = networkOf(config);
  return allowlist_entries.length === 0 ? [] : [{type: 'network', posture: 'allowlist', allowlist_entries}];
}
