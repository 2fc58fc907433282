// Runs WebAssembly modules in threads of this process. A module reaches its own memory and the functions that it is given, nothing
// else: it cannot name a file, a process or a socket. Each call has a fresh instance.
import {tmpdir} from 'node:os';
import {rememberProbe} from '../backends/remember-probe.ts';
import type {SandboxBackend, StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import type {Guarantee} from '../backends/probe-report.ts';
import {failed, ok} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {reapOwnedFolders} from '../backends/leftover-folders.ts';
import {probeFolderKind, probeWasm} from './probe/probe-wasm.ts';
import {WasmThread} from './wasm-thread.ts';
import type {ThreadLimits} from './thread-messages.ts';

const name = 'wasm';
const lacks: readonly Guarantee[] = ['network_allowlist', 'network_full', 'kernel'];
/** Threads that wait for the next call. */
const idleMax = 4;
const mebibyte = 1024 * 1024;

export interface WasmBackendParts {
  /** The program of a thread, built. */
  readonly wasmThreadPath: string;
}

export function createWasmBackend({wasmThreadPath}: WasmBackendParts): SandboxBackend {
  const threads = new Set<WasmThread>();
  let isClosed = false;

  function newThread(): WasmThread {
    const thread = new WasmThread(wasmThreadPath, () => {
      if (isClosed || idle().length > idleMax) thread.end();
    });
    threads.add(thread);
    void thread.ended.then(() => threads.delete(thread));
    return thread;
  }

  function idle(): readonly WasmThread[] {
    return [...threads].filter((thread) => thread.isIdle);
  }

  function serve(limits: ThreadLimits): StartedRunner {
    const runner = (idle()[0] ?? newThread()).serve(limits);
    // For the next call, which need not wait for the start of a thread.
    if (idle().length === 0) newThread();
    return runner;
  }

  const probe = rememberProbe(
    () => probeWasm(name, serve),
    ({available}) => available,
  );
  return {
    name,
    capabilities: {
      runs: 'wasm',
      spares: false,
      views: true,
      network: undefined,
      selfTest: false,
      killsAtOnce: true,
      lacks,
    },
    probe,
    async start(request) {
      const problem = unsupported(request);
      return problem === undefined ? ok(serve(limitsOf(request))) : failed(problem);
    },
    reap: () => reapOwnedFolders(tmpdir(), probeFolderKind),
    async close() {
      isClosed = true;
      const all = [...threads];
      for (const thread of all) thread.end();
      await Promise.all(all.map(async ({ended}) => await ended));
    },
  } satisfies SandboxBackend;
}

function unsupported({profile, program}: StartRequest): SandboxProblem | undefined {
  if (program.kind === 'command') {
    return {message: 'the backend `wasm` cannot run commands', help: 'use a backend that starts processes'};
  }
  if (profile.profile.network_posture === 'off') return undefined;
  return {
    message: 'a WebAssembly module has no network, and the call is granted one',
    help: 'remove the network scope of the tool, or write the tool in JavaScript',
  };
}

function limitsOf({profile: {profile}}: StartRequest): ThreadLimits {
  const {memory_bytes, output_bytes, open_files, file_size_bytes} = profile.limits;
  return {
    memoryBytes: memory_bytes ?? 256 * mebibyte,
    outputBytes: output_bytes ?? mebibyte,
    openFiles: open_files ?? 1024,
    fileSizeBytes: file_size_bytes ?? 1024 * mebibyte,
  };
}
