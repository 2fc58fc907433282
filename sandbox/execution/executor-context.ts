// What all calls of one backend have in common.
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import type {SecurityTier} from '@lumenflow/schemas';
import type {SandboxNetwork} from '../network/create-sandbox-network.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {SelfTest} from '../self-test/create-self-test.ts';
import type {LastingRunners} from '../lasting/create-lasting-runners.ts';
import type {WarmPool} from '../warm-pool/create-warm-pool.ts';
import type {CallScope} from './call-scope.ts';

export interface ExecutorContext {
  readonly backend: SandboxBackend;
  readonly runner: RunnerProgram;
  readonly files: HostFiles;
  readonly network: SandboxNetwork;
  /** Security profile of calls that do not name one. */
  readonly usualTier: SecurityTier;
  readonly selfTest: SelfTest;
  readonly calls: CallScope;
  /** Undefined where every start is cold. */
  readonly pool: WarmPool | undefined;
  readonly lasting: LastingRunners;
}
