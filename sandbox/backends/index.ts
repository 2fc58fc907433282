// The port that a backend implements. `@lumenflow/sandbox/conformance` is the suite that it passes.
export {failed, ok, type Outcome} from '../outcome.ts';
export type {SandboxProblem} from '../sandbox-problem.ts';
export type {NetworkAttachment, NetworkHome} from './network-attachment.ts';
export type {RunnerProgram} from './runner-program.ts';
export type {Capabilities, Program, RunnerEnd, SandboxBackend, StartRequest, StartedRunner} from './sandbox-backend.ts';
export type {IntegrationParts} from './create-integrated-backend.ts';
