// Stands for a backend that this machine or this version does not have: it says so, and runs nothing.
import {refuseCall} from './refuse-call.ts';
import type {BackendName, SandboxBackend, SandboxProblem} from './sandbox-backend.ts';

export function createMissingBackend(name: BackendName, problem: SandboxProblem): SandboxBackend {
  return {
    name,
    probe: async () => ({available: false, backend: name, problem}),
    execute: async (request) => refuseCall(name, request, problem),
    close: async () => undefined,
  };
}
