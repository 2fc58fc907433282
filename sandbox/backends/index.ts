// The port that a backend implements. `@lumenflow/sandbox/conformance` is the suite that it passes.
export type {NetworkAttachment} from './network-attachment.ts';
export type {RunnerProgram} from './runner-program.ts';
export type {Capabilities, Program, RunnerEnd, SandboxBackend, StartRequest, StartedRunner} from './sandbox-backend.ts';
