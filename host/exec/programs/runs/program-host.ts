// What running programs needs of a host. A `Host` has it.
import type {KernelRuntime} from '@lumenflow/kernel';

export interface ProgramHost {
  readonly runtime: KernelRuntime;
  readonly workspaceRoot: string;
}

/** Of one whose programs are only read. */
export type ProgramReader = Pick<ProgramHost, 'runtime'> & Partial<ProgramHost>;
