// What a container guarantees, by what a trial inside it found.
import {release, version} from 'node:os';
import type {Strength} from '../backends/probe-report.ts';
import type {Guarantees} from '../backends/security-tier.ts';
import type {GroupLimit} from '../limits/control-groups.ts';
import type {TrialFacts} from './container-trial.ts';
import type {OciRuntime} from './oci-runtime.ts';

export interface TrialSetting {
  readonly runtime: Pick<OciRuntime, 'filter'>;
  /** Names of the variables that the trial was given. */
  readonly environment: readonly string[];
  /** What the control group of the trial enforced. */
  readonly grouped: readonly GroupLimit[];
  /** Default: that of this machine. */
  readonly hostKernel?: string;
}

export function foundGuarantees(facts: TrialFacts, setting: TrialSetting): Guarantees {
  const {runtime, environment, grouped, hostKernel = `${release()} ${version()}`} = setting;
  const enforcedIf = (isMet: boolean): Strength => (isMet ? 'enforced' : 'unsupported');
  const byGroup = (limit: GroupLimit): Strength => (grouped.includes(limit) ? 'enforced' : 'best_effort');
  const isUnprivileged = facts.capabilities.length === 0 && facts.noNewPrivileges;
  const isFiltered = isUnprivileged && facts.isFiltered && !facts.unshared;
  const hasOwnKernel = facts.kernel !== hostKernel;
  return {
    filesystem: enforcedIf(!facts.readCanary && facts.written.length === 0 && isUnprivileged),
    // Existing files are protected; new ones are found after the call.
    trusted_files: 'best_effort',
    network_off: enforcedIf(facts.interfaces.length === 0),
    // Until their own trial.
    network_allowlist: 'unsupported',
    network_full: 'unsupported',
    processes: enforcedIf(!facts.seesHost && isUnprivileged),
    environment: enforcedIf(facts.environment.every((name) => environment.includes(name))),
    // A call that libseccomp has no name for is not filtered, and reaches the host's kernel.
    system_calls: isFiltered && runtime.filter === 'names' && !hasOwnKernel ? 'best_effort' : enforcedIf(isFiltered),
    kernel: enforcedIf(hasOwnKernel),
    // The host ends the first process inside, and the kernel then ends the others.
    wall_time: 'enforced',
    cpu_time: 'best_effort',
    memory: byGroup('memory_bytes'),
    process_count: byGroup('processes'),
    open_files: enforcedIf(facts.openFilesBound),
    file_size: enforcedIf(facts.fileSizeBound),
    output: 'enforced',
  };
}
