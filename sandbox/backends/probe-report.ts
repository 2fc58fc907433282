// What a backend guarantees on this machine, as its probe found it.
import type {Enforcement} from '@lumenflow/schemas';
import type {SandboxProblem} from '../sandbox-problem.ts';

export type Tier = Enforcement['tier'];

/** A guarantee of a backend, and how well it is enforced on this machine. */
export type Guarantee =
  | 'filesystem'
  | 'trusted_files'
  | 'network_off'
  | 'network_allowlist'
  | 'network_full'
  | 'processes'
  | 'environment'
  | 'system_calls'
  /** A kernel other than the host's serves system calls. */
  | 'kernel'
  | 'wall_time'
  | 'cpu_time'
  | 'memory'
  | 'process_count'
  | 'open_files'
  | 'file_size'
  | 'output';

export type Strength = 'enforced' | 'best_effort' | 'unsupported';

export type ProbeReport =
  | {
      readonly available: true;
      readonly backend: string;
      readonly tier: Tier;
      readonly version: string;
      readonly guarantees: Readonly<Record<Guarantee, Strength>>;
      /** Guarantees that another installation would enforce better. */
      readonly gaps: readonly SandboxProblem[];
    }
  | {
      readonly available: false;
      readonly backend: string;
      readonly problem: SandboxProblem;
      /** LumenFlow's own tests run it with a stand-in for what is missing here. */
      readonly testedWithStandIn?: true;
    };

export type AvailableReport = Extract<ProbeReport, {readonly available: true}>;
