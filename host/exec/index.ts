// Finding, describing, running and chaining tools, for programs that embed the host.
export {createExec, type Exec, type ExecHost, type ExecOptions} from './create-exec.ts';
export {createToolCatalogue, type ToolCatalogue} from './tool-catalogue.ts';
export {createDiscovery, type Discovery, type DocOptions, type Govern, type SearchOptions} from './create-discovery.ts';
export type {RunOptions} from './run-tool.ts';
export {codeToolFor, createCodeRunner, type CodeOptions, type RunCode} from './code/run-code.ts';
export type {ChainOptions, RunChain} from './chain/create-chain-runner.ts';
export {checkProgram, type CheckedProgram} from './programs/checks/check-program.ts';
export type {ProgramRunner, SessionProgram} from './programs/create-program-runner.ts';
export {innerSteps, type InnerSteps} from './programs/document/inner-steps.ts';
export {readProgram, type ProgramDocument, type ProgramText} from './programs/document/read-program.ts';
export {describeStep, titleOfSteps} from './programs/graph/describe-step.ts';
export {stepStates, worstState, type StepStates} from './programs/graph/step-states.ts';
export {isRunId} from './programs/runs/run-id.ts';
export type {ProgramRunOptions} from './programs/runs/carry-out.ts';
export {programWork} from './programs/runs/program-work.ts';
export {ProgramRunError} from './programs/runs/program-run-error.ts';
export {
  startProgramScheduler,
  type ProgramScheduler,
  type ProgramSchedulerOptions,
} from './programs/runs/program-scheduler.ts';
export {listProgramRuns} from './programs/runs/list-program-runs.ts';
export type {ProgramHost, ProgramReader} from './programs/runs/program-host.ts';
export {resumeProgram, runProgram, type ProgramRequest, type ResumeRequest} from './programs/runs/run-program.ts';
export {viewProgram, viewProgramRun, type ViewedProgram} from './programs/runs/view-program-run.ts';
export type {
  ChainCondition,
  ChainLimits,
  ChainResult,
  ChainStep,
  ChainStepResult,
  CodeCall,
  CodeLanguage,
  CodeLimits,
  CodeReport,
  CodeRequest,
  CodeResult,
  CodeUsed,
  Permission,
  Program,
  ProgramCall,
  ProgramCheck,
  ProgramLimits,
  ProgramProblem,
  ProgramRun,
  ProgramRunState,
  ProgramRunSummary,
  ProgramStep,
  ProgramStepRecord,
  ToolChain,
  ToolDoc,
  ToolDocLevel,
  ToolFailure,
  ToolNamespace,
  ToolRun,
  ToolSummary,
} from '@lumenflow/schemas';
