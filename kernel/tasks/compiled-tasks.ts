// Task specs with their scopes and rules compiled, verified once against the hash in the event log.
import type {TaskSpec} from '@lumenflow/schemas';
import {compiledTasksMax} from '../limits.ts';
import {compilePolicyLayer, type CompiledLayer, type PolicyCompilerPorts} from '../policy/index.ts';
import type {MaybePromise} from '../maybe-promise.ts';
import type {TaskStore} from '../ports.ts';
import type {Problem} from '../problem.ts';
import {RecentMap} from '../recent-map.ts';
import {compileScopeLayer, unrestrictedLayer, type ScopeLayer} from '../scopes/index.ts';
import {locatedRules} from '../workspace/located-rules.ts';
import type {TaskRecord} from './task-record.ts';

export interface CompiledSpec {
  readonly spec: TaskSpec;
  readonly scopes: ScopeLayer;
  readonly policy?: CompiledLayer;
}

export interface CompiledTask extends CompiledSpec {
  /** Of exactly this spec: one that was amended has another. */
  readonly key: string;
  readonly spec_hash: string;
}

export interface CompiledTasks {
  /** `changed`: the file is gone or its bytes are not those the task was created with. */
  get(record: TaskRecord): MaybePromise<CompiledTask | 'changed'>;
}

export function compileTask(
  spec: TaskSpec,
  ports: PolicyCompilerPorts,
): {task: CompiledSpec; problems: readonly Problem[]} {
  const where = (pointer: string): string => `task ${spec.id}${pointer}`;
  const scopes = spec.declared_scopes
    ? compileScopeLayer({
        name: 'task',
        scopes: spec.declared_scopes,
        where: (index, inside = '') => where(`/declared_scopes/${index}${inside}`),
        // A task that says nothing of the network leaves it to its lane.
        networkDefault: 'any',
      })
    : {layer: unrestrictedLayer('task', where('')), problems: []};
  if (!spec.policies) return {task: {spec, scopes: scopes.layer}, problems: scopes.problems};
  const policy = compilePolicyLayer({
    layer: 'task',
    ...(spec.policies.default_decision === undefined
      ? {}
      : {default_decision: spec.policies.default_decision, default_where: where('/policies/default_decision')}),
    rules: locatedRules(spec.policies, '/policies', where),
    ports,
  });
  return {task: {spec, scopes: scopes.layer, policy: policy.layer}, problems: [...scopes.problems, ...policy.problems]};
}

export function createCompiledTasks(store: TaskStore, ports: PolicyCompilerPorts): CompiledTasks {
  const compiled = new RecentMap<string, CompiledTask>(compiledTasksMax);

  async function load({task_id, spec_hash, amended_at}: TaskRecord): Promise<CompiledTask | 'changed'> {
    const stored = await store.read(task_id, amended_at === undefined ? undefined : spec_hash);
    if (stored?.spec_hash !== spec_hash) return 'changed';
    const task = {...compileTask(stored.spec, ports).task, key: `${task_id}#${spec_hash}`, spec_hash};
    compiled.set(spec_hash, task);
    return task;
  }

  // A spec names its task, so its hash is enough to know it by.
  return {get: (record) => compiled.get(record.spec_hash) ?? load(record)};
}
