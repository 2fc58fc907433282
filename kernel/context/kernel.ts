// What every stage works with: the ports, the compiled workspace and the state folded from the event log.
import type {Durability} from '@lumenflow/schemas';
import type {KernelPorts} from '../ports.ts';
import type {KernelState} from './kernel-state.ts';
import type {CompiledTasks} from '../tasks/compiled-tasks.ts';
import type {CompiledWorkspace} from '../workspace/compiled-workspace.ts';
import type {PolicyCompilerPorts} from '../policy/index.ts';
import type {PolicyDigestCache} from '../policy/policy-digest-cache.ts';
import type {CallerScopes} from './caller-scopes.ts';
import type {GrantCache} from './grant-cache.ts';
import type {Lifetimes} from './lifetimes.ts';

export interface Kernel {
  readonly ports: KernelPorts;
  readonly workspace: CompiledWorkspace;
  readonly state: KernelState;
  readonly tasks: CompiledTasks;
  readonly grants: GrantCache;
  readonly callerScopes: CallerScopes;
  readonly lifetimes: Lifetimes;
  readonly policyDigestCache: PolicyDigestCache;
  readonly policyPorts: PolicyCompilerPorts;
  readonly durability: Durability;
}
