// In place of a backend that this installation does not have: it reports why, and starts nothing.
import {failed} from '../outcome.ts';
import type {SandboxBackend} from './sandbox-backend.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';

export function createUnavailableBackend(name: string, problem: SandboxProblem): SandboxBackend {
  return {
    name,
    capabilities: {spares: false, views: false, network: undefined, selfTest: false, killsAtOnce: true, lacks: []},
    probe: async () => ({available: false, backend: name, problem}),
    start: async () => failed(problem),
    reap: async () => undefined,
    close: async () => undefined,
  };
}
