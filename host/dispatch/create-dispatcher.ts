// The kernel's way to handlers: each call goes to the pool or to the sandbox, and its handler's requests
// are answered here. A handler gets the pool only when both its declaration and its pack's pin say so.
import {realpathSync} from 'node:fs';
import {compileMatcher, parsePattern} from '@lumenflow/kernel';
import type {DispatchOutcome, DispatchRequest, Dispatcher, ProcessRegistry, RegisteredTool} from '@lumenflow/kernel';
import {
  createTransactions,
  hiddenPaths,
  type HiddenPathsInput,
  type NamesAtStart,
  type Sandbox,
  type Transaction,
} from '@lumenflow/sandbox';
import type {Invocation, Writes} from '@lumenflow/schemas';
import {failedOutput, type Pool} from '../pool/index.ts';
import {createPackStates} from '../state/index.ts';
import {withAuthorStack} from './author-stack.ts';
import {buildInvocation} from './build-invocation.ts';
import {grantedFiles} from './granted-files.ts';
import {createSandboxLine} from './sandbox-line.ts';
import {observedEnforcement} from './observed-enforcement.ts';
import {runInSandbox} from './run-in-sandbox.ts';
import {createScopedFileSystem, type FileAccess, type HostFileSystem} from './scoped-fs/index.ts';
import {serveRequests} from './serve-requests.ts';
import {writeAccess} from './write-access.ts';

export interface DispatcherOptions {
  readonly pool: Pool;
  readonly sandbox: Sandbox;
  /** Must exist. */
  readonly workspaceRoot: string;
  /** The host's environment, of which handlers get what their tools require. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's home directory, whose credential stores are hidden. */
  readonly home: string;
  /** Names this host to others of the workspace, and tells which of them still live. */
  readonly processes: ProcessRegistry;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of tools that declare none; default 60,000. */
  readonly timeoutMs?: number;
  /** Sandboxes at once for each depth of nesting; default 16. */
  readonly sandboxesMax?: number;
}

/** Closing it closes the pool and the sandbox. Throws when the workspace root does not exist. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const {pool, sandbox, env} = options;
  const workspaceRoot = realpathSync(options.workspaceRoot);
  const line = createSandboxLine(options.sandboxesMax ?? 16);
  const states = createPackStates({workspaceRoot, processes: options.processes});
  const transactions = createTransactions({root: workspaceRoot, processes: options.processes});
  let recovered: Promise<void> | undefined;

  async function run(request: DispatchRequest, invocation: Invocation, timeoutMs: number): Promise<DispatchOutcome> {
    const hiding: HiddenPathsInput = {
      workspaceRoot,
      home: options.home,
      denyOverlays: request.grant.holes.list.map((hole) => hole.pattern.text),
      compilePattern,
    };
    // Most calls never ask for a file.
    let files: HostFileSystem | undefined;
    let door: string | undefined;
    const access = (): FileAccess => grantedFiles(request.grant, {workspaceRoot, hidden: hiddenPaths(hiding)});
    const filesOfCall = (): HostFileSystem => (files ??= createScopedFileSystem(workspaceRoot, access(), door));
    const server = serveRequests(request, filesOfCall, states);
    const transaction = (namesAtStart: NamesAtStart): Promise<Transaction> =>
      transactions.begin({
        access: writeAccess(access()),
        limits: request.tool.declaration.limits ?? {},
        namesAtStart,
        onOpen: (opened) => (door = opened),
      });
    const mode = modeOf(request.tool, request.writes);
    const ran =
      mode === 'pool'
        ? {output: await pool.run({...limits(request, timeoutMs), invocation, onMessage: server.onMessage})}
        : await line.run(limits(request, timeoutMs), async () => {
            const mayWrite = (path: string): boolean => access().allows(path, 'write');
            const call = {request, invocation, server, timeoutMs, hiding, mayWrite};
            return await runInSandbox(sandbox, request.writes === 'direct' ? call : {...call, transaction});
          });
    await server.close();
    const outcome = {...ran, ...observedEnforcement(mode, ran, server.denials())};
    // What a transaction has applied is in its outcome.
    if (files === undefined || request.writes === 'transactional') return outcome;
    return {...outcome, artifacts_written: files.written()};
  }

  return {
    modeOf,
    async dispatch(request) {
      const {tool} = request;
      const timeoutMs = tool.declaration.timeout_ms ?? options.timeoutMs ?? 60_000;
      const built = buildInvocation(request, {workspaceRoot, env, deadline: options.now() + timeoutMs});
      if ('missingEnv' in built) return {output: missingEnvironment(tool.name, built.missingEnv)};
      try {
        await (recovered ??= transactions.recover());
        return withAuthorStack(workspaceRoot, await run(request, built.invocation, timeoutMs));
      } catch (error) {
        // The host's own failure, such as a bundle that was deleted; the call has begun, so it gets an outcome.
        return {output: failedOutput('TOOL_EXECUTION_FAILED', `\`${tool.name}\` could not be run: ${String(error)}`)};
      }
    },
    async close() {
      await Promise.all([pool.close(), line.close(), sandbox.close()]);
      states.close();
    },
  };
}

/** A thread shares the host's files, so no write of its handler could be held back. */
function modeOf({declaration, pack}: RegisteredTool, writes: Writes): 'pool' | 'sandbox' {
  const mayShare = declaration.handler === 'in_process' && pack.pin.trust === 'in_process';
  return mayShare && writes === 'direct' ? 'pool' : 'sandbox';
}

interface CallLimits {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
  readonly depth: number;
}

function limits({signal, depth}: DispatchRequest, timeoutMs: number): CallLimits {
  return signal === undefined ? {timeoutMs, depth} : {timeoutMs, depth, signal};
}

function missingEnvironment(tool: string, names: readonly string[]): DispatchOutcome['output'] {
  const listed = names.map((name) => `\`${name}\``).join(', ');
  const message = `\`${tool}\` requires ${listed} in the environment of the host: set ${names.length === 1 ? 'it' : 'them'} and start the host anew`;
  return failedOutput('TOOL_EXECUTION_FAILED', message, {missing_env: [...names]});
}

/** A pattern that cannot be read matches nothing. */
function compilePattern(pattern: string): (path: string) => boolean {
  const parsed = parsePattern(pattern);
  return 'patterns' in parsed ? compileMatcher(parsed.patterns) : () => false;
}
