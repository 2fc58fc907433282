// No sandbox at all: the runner as a plain process of this user. For development where nothing better is
// to be had; it must be asked for by name, and every receipt says so.
import {createCallScope} from '../backends/call-scope.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend, SandboxRequest, SandboxResult, Strength} from '../backends/sandbox-backend.ts';
import {tierOf, type Guarantees} from '../backends/security-profile.ts';
import {changedTrustedPaths} from '../calls/changed-trusted-paths.ts';
import {runCall} from '../calls/run-call.ts';
import {findPrlimit, limitCommand} from '../commands/rlimits.ts';
import {spawnProcess} from '../commands/spawn-process.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {withoutDefaults} from '../limits/without-defaults.ts';

const name = 'unsafe-host';
const loud = "no sandbox: the tool ran with all rights of the host's user";

export interface UnsafeHostOptions {
  readonly runner: RunnerProgram;
  readonly files: HostFiles;
}

export function createUnsafeHostBackend(options: UnsafeHostOptions): SandboxBackend {
  const calls = createCallScope();
  return {
    name,
    async probe() {
      const held = guarantees();
      return {
        available: true,
        backend: name,
        tier: tierOf(held),
        version: process.version,
        guarantees: held,
        gaps: [{message: loud, help: 'use it for development alone'}],
      };
    },
    execute: (request) => calls.run(request.signal, (signal) => executeOnHost({...request, signal}, options)),
    close: () => calls.close(),
  };
}

async function executeOnHost(request: SandboxRequest, {runner, files}: UnsafeHostOptions): Promise<SandboxResult> {
  const {profile} = request.profile;
  const limits = withoutDefaults(profile.limits);
  const {argv, unenforced} = limitCommand(runner.argv({...profile, limits}), limits, findPrlimit());
  const [command = runner.nodePath, ...args] = argv;
  const facts = await runCall(request, async (supervision) => {
    const started = await spawnProcess({
      ...supervision,
      command,
      args,
      cwd: request.profile.workspaceRoot,
      // The home of the sandbox is not there.
      env: {...(profile.env as Record<string, string>), HOME: '/nonexistent'},
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const [, stdout, stderr, wire] = started.pipes;
    return {
      wire: wire ?? undefined,
      stdout: stdout ?? undefined,
      stderr: stderr ?? undefined,
      ended: started.ended,
      meter: undefined,
      isHarmless: false,
      endReason: () => started.endReason(),
      kill: () => started.kill(),
    };
  });
  return {
    ...facts,
    enforcement: {
      backend: name,
      tier: 'dev',
      profile_digest: request.profile.digest,
      degraded: [
        loud,
        ...unenforced.map((limit) => `${limit}: not held`),
        ...changedTrustedPaths(request.profile, files),
      ],
      start: 'cold',
      ...(facts.exitCode === undefined ? {} : {exit_code: facts.exitCode}),
      ...(facts.signal === undefined ? {} : {exit_signal: facts.signal}),
    },
  };
}

function guarantees(): Guarantees {
  const byRlimit: Strength = findPrlimit() === undefined ? 'unsupported' : 'best_effort';
  return {
    filesystem: 'unsupported',
    trusted_files: 'unsupported',
    network_off: 'unsupported',
    network_allowlist: 'unsupported',
    network_full: 'unsupported',
    processes: 'unsupported',
    environment: 'best_effort',
    system_calls: 'unsupported',
    kernel: 'unsupported',
    wall_time: 'best_effort',
    cpu_time: byRlimit,
    memory: 'best_effort',
    process_count: byRlimit,
    open_files: byRlimit,
    file_size: byRlimit,
    output: 'enforced',
  };
}
