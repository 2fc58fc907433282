// Tries whether sandbox-exec works on this machine.
import {accessSync, constants} from 'node:fs';
import {release, type} from 'node:os';
import type {ProbeReport} from '../backends/probe-report.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {tierOf, type Guarantees} from '../backends/security-tier.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {buildSbpl} from './build-sbpl.ts';
import {makeCallFolder} from './call-folder.ts';

export interface SeatbeltProbeInput {
  /** Absolute path of sandbox-exec. */
  readonly programPath: string;
  readonly temporaryRoot: string;
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
  readonly executor: CommandExecutor;
}

const trialMs = 20_000;
/** Writes an allowed file, then reads a file that its own profile denies. */
const attempt = `
const fs = require('node:fs');
fs.writeFileSync(process.env.TMPDIR + '/made', '');
try { fs.readFileSync(process.argv[1]); } catch ({code}) { if (code === 'EPERM') console.log('confined'); }`;

export async function probeSeatbelt(input: SeatbeltProbeInput): Promise<ProbeReport> {
  const problem = isExecutable(input.programPath) ? await trial(input) : missing(input.programPath);
  if (problem !== undefined) return {available: false, backend: 'seatbelt', problem, testedWithStandIn: true};
  const version = `${type()} ${release()}`;
  return {available: true, backend: 'seatbelt', tier: tierOf(guarantees), version, guarantees, gaps: []};
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // It does not exist, or this user may not run it: either way there is no sandbox.
    return false;
  }
}

function missing(programPath: string): SandboxProblem {
  return {
    message: `\`${programPath}\` does not exist on this machine`,
    help: 'on macOS, restore it with the system, which contains it; on Linux, use the backend `bubblewrap`',
  };
}

async function trial({
  programPath,
  temporaryRoot,
  runner,
  executor,
}: SeatbeltProbeInput): Promise<SandboxProblem | undefined> {
  const folder = await makeCallFolder(temporaryRoot);
  try {
    const profile = narrowestProfile(runner.runtimePaths);
    const compiled = {
      profile,
      workspaceRoot: folder.temporaryFolder,
      watched: [],
      guarded: [],
      hiddenRules: {literals: [], patterns: []},
    };
    const text = buildSbpl({compiled, temporaryFolder: folder.temporaryFolder});
    if (!text.ok) return {message: text.problem, help: 'install Node in another directory'};
    await folder.write(text.value);
    const {stdout, stderr, startError} = await executor.run({
      command: programPath,
      args: ['-f', folder.profilePath, runner.nodePath, '-e', attempt, folder.profilePath],
      cwd: folder.temporaryFolder,
      env: {PATH: '/usr/bin:/bin', ...folder.env},
      outputSink: {kind: 'capture', maxBytes: 4000},
      timeoutMs: trialMs,
    });
    return stdout.trim() === 'confined' ? undefined : notConfined(startError ?? stderr);
  } finally {
    await folder.remove();
  }
}

function notConfined(said: string): SandboxProblem {
  const first = said.trim().split('\n')[0] ?? '';
  return {
    message: `a trial of sandbox-exec failed${first === '' ? '' : ` (\`${first}\`)`}`,
    help: 'sandbox-exec does not work inside another sandbox: run the host outside it',
  };
}

const guarantees: Guarantees = {
  filesystem: 'enforced',
  // A missing directory can be created elsewhere and moved in; the check after the call detects that.
  trusted_files: 'best_effort',
  network_off: 'enforced',
  // A program that does not use the proxy cannot connect, and cannot bypass it.
  network_allowlist: 'enforced',
  // SBPL supports only the hosts `*` and `localhost`.
  network_full: 'best_effort',
  // There are no process namespaces.
  processes: 'best_effort',
  environment: 'enforced',
  system_calls: 'unsupported',
  kernel: 'unsupported',
  // A process that leaves its group is not found again.
  wall_time: 'best_effort',
  cpu_time: 'best_effort',
  memory: 'best_effort',
  process_count: 'best_effort',
  open_files: 'enforced',
  file_size: 'enforced',
  output: 'enforced',
};
