// The command line of a program where the host's own files are mounted at their own paths.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {Program} from './sandbox-backend.ts';

export function programArgv(program: Program, profile: SandboxProfile): readonly string[] {
  return program.kind === 'command' ? program.argv : program.runner.argv(profile, program.waiting);
}
