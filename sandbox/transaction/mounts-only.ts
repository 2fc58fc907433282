import type {SandboxProblem} from '../sandbox-problem.ts';

/** Why the view of a call is a copy on a backend whose calls are started by another process. */
export const mountsOnly: SandboxProblem = {
  message: 'the engine starts calls itself, so they cannot enter an overlay of the host',
  help: 'use `bubblewrap` or `runc` for this workspace',
};
