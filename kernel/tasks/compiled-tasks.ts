// Task specs with their scopes and rules compiled, verified once against the hash in the event log.
import type {Scope, TaskSpec} from '@lumenflow/schemas';
import {compiledTasksMax} from '../limits.ts';
import {compilePolicyLayer, type CompiledLayer, type PolicyCompilerPorts} from '../policy/index.ts';
import type {MaybePromise} from '../maybe-promise.ts';
import type {TaskStore} from '../ports.ts';
import type {Problem} from '../problem.ts';
import {RecentMap} from '../recent-map.ts';
import {compileScopeLayer, unrestrictedLayer, type ScopeLayer} from '../scopes/index.ts';
import {locateRules} from '../workspace/locate-rules.ts';
import {readSpec} from './read-spec.ts';
import type {TaskRecord} from './task-record.ts';

export interface CompiledSpec {
  readonly spec: TaskSpec;
  readonly scopes: ScopeLayer;
  /** By the names of tools that have further scopes. */
  readonly toolScopes?: ReadonlyMap<string, ScopeLayer>;
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
  const compiled = compileScopes(spec, where);
  if (!spec.policies) return {task: {spec, ...compiled.layers}, problems: compiled.problems};
  const policy = compilePolicyLayer({
    layer: 'task',
    ...(spec.policies.default_decision === undefined
      ? {}
      : {default_decision: spec.policies.default_decision, default_where: where('/policies/default_decision')}),
    rules: locateRules(spec.policies, '/policies', where),
    ports,
  });
  const problems = [...compiled.problems, ...policy.problems];
  return {task: {spec, ...compiled.layers, policy: policy.layer}, problems};
}

interface CompiledScopes {
  readonly layers: Pick<CompiledSpec, 'scopes' | 'toolScopes'>;
  readonly problems: readonly Problem[];
}

/** A task without `declared_scopes` restricts no tool, so that its `tool_scopes` add nothing. */
function compileScopes(
  {declared_scopes: declared, tool_scopes: ofTools = {}}: TaskSpec,
  where: (pointer: string) => string,
): CompiledScopes {
  if (declared === undefined) return {layers: {scopes: unrestrictedLayer('task', where(''))}, problems: []};
  const compile = (further: readonly Scope[], at: string): ReturnType<typeof compileScopeLayer> =>
    compileScopeLayer({
      name: 'task',
      scopes: [...declared, ...further],
      where: (index, inside = '') =>
        where(
          index < declared.length ? `/declared_scopes/${index}${inside}` : `${at}/${index - declared.length}${inside}`,
        ),
      // A task that says nothing of the network leaves it to its lane.
      networkDefault: 'any',
    });
  const scopes = compile([], '');
  const single = Object.entries(ofTools).map(
    ([tool, further]) => [tool, compile(further ?? [], `/tool_scopes/${tool}`)] as const,
  );
  return {
    layers: {
      scopes: scopes.layer,
      ...(single.length > 0 && {toolScopes: new Map(single.map(([tool, {layer}]) => [tool, layer]))}),
    },
    problems: single.length === 0 ? scopes.problems : single.flatMap(([, {problems}]) => problems),
  };
}

export function createCompiledTasks(store: TaskStore, ports: PolicyCompilerPorts): CompiledTasks {
  const compiled = new RecentMap<string, CompiledTask>(compiledTasksMax);

  async function load({task_id, spec_hash, amended_at}: TaskRecord): Promise<CompiledTask | 'changed'> {
    const stored = await readSpec(store, task_id, amended_at === undefined ? undefined : spec_hash);
    if (stored === 'unreadable' || stored?.spec_hash !== spec_hash) return 'changed';
    const task = {...compileTask(stored.spec, ports).task, key: `${task_id}#${spec_hash}`, spec_hash};
    compiled.set(spec_hash, task);
    return task;
  }

  // A spec names its task, so its hash is enough to know it by.
  return {get: (record) => compiled.get(record.spec_hash) ?? load(record)};
}
