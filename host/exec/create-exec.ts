// The one entry for programs, people and models: finds tools, describes them, runs one, a chain of them, or a program, for one session.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {ToolRun} from '@lumenflow/schemas';
import type {Session} from '../sessions/open-session.ts';
import {createCodeRunner, type RunCode} from './code/run-code.ts';
import {createChainRunner, type RunChain} from './chain/create-chain-runner.ts';
import {createProgramRunner, type ProgramRunner} from './programs/create-program-runner.ts';
import {createDiscovery, type Discovery} from './create-discovery.ts';
import {runTool, type RunOptions} from './run-tool.ts';
import {createToolCatalogue, type ToolCatalogue} from './tool-catalogue.ts';

/** A `Host`, or the parts of one. */
export interface ExecHost {
  readonly runtime: KernelRuntime;
  /** Without it, no program can be run. */
  readonly workspaceRoot?: string | undefined;
  /** Shared between sessions, because its index takes a while to build for thousands of tools; default a new one. */
  readonly catalogue?: ToolCatalogue;
}

export interface ExecOptions {
  /** Its calls are scoped, decided and recorded like all of its calls. */
  readonly session: Pick<Session, 'call' | 'tools'> &
    Partial<Pick<Session, 'by' | 'session_id' | 'task_id' | 'surface'>>;
}

export interface Exec extends Discovery, ProgramRunner {
  /**
   * Calls a tool by its id, for example `file:read` or `file:read@0.1.0`. A failure is the `error` of the result. Rejects only
   * once the runtime is closed.
   */
  runTool(id: string, args: unknown, options?: RunOptions): Promise<ToolRun>;
  /** Calls tools one after the other. The whole chain is checked before its first call. */
  readonly runChain: RunChain;
  /** Runs code that calls tools, in QuickJS or in the sandbox. */
  readonly runCode: RunCode;
}

/** Throws if `session` is not an open session, such as the failure that `openSession` returned. */
export function createExec(host: ExecHost, {session}: ExecOptions): Exec {
  checkSession(session);
  const {runtime, workspaceRoot, catalogue = createToolCatalogue(runtime)} = host;
  const discovery = createDiscovery(catalogue, (among) => session.tools(among));
  const run: Exec['runTool'] = (id, args, options) =>
    runTool({workspace: runtime.workspace, session}, id, args, options);
  const programs = createProgramRunner({runtime, workspaceRoot, session});
  const runChain = createChainRunner(run, discovery, runtime);
  return {...discovery, ...programs, runTool: run, runChain, runCode: createCodeRunner(session)};
}

/** For programs without type checks. */
function checkSession(session: unknown): void {
  const {call, error} = Object(session) as {readonly call?: unknown; readonly error?: {readonly message?: string}};
  if (typeof call === 'function') return;
  const reason = error?.message ?? 'pass what `openSession` returned';
  throw new Error(`\`session\` is not an open session: ${reason}`);
}
