// Tries whether bubblewrap works on this machine: the trial is a real start with every protection.
import type {AvailableReport, Strength} from '../backends/probe-report.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {tierOf, type Guarantees} from '../backends/security-tier.ts';
import {captureOutput} from '../commands/capture-output.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {executableAt} from '../commands/executable-at.ts';
import {findPrlimit} from '../commands/rlimits.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {buildFilter} from '../seccomp/build-filter.ts';
import {explainFailure} from './explain-failure.ts';
import {findBwrap, lookAtHost, type HostSystem} from './host-system.ts';
import {launchBubblewrap} from './launch.ts';

export interface ReadyProbe {
  readonly host: HostSystem;
  readonly filter: Uint8Array;
  readonly report: AvailableReport;
}

const trialMs = 10_000;
const looksAtMounts: SandboxProblem = {
  message: 'this bubblewrap does not support --bind-fd, so mounts are checked only before the start',
  help: 'install bubblewrap 0.10 or later, or the security update of 0.8',
};

export interface ProgramSearch {
  /** In the form of PATH. */
  readonly searchPath: string;
  /** Absolute; searched for if undefined. */
  readonly program?: string | undefined;
}

const notInstalled: SandboxProblem = {
  message: 'bubblewrap is not installed',
  help: 'install it with `apt-get install bubblewrap`',
};

function notExecutable(program: string): SandboxProblem {
  return {
    message: `\`${program}\` is not an executable file`,
    help: 'correct `security.sandbox.backends.bubblewrap.program`',
  };
}

export async function probeBubblewrap(
  {searchPath, program}: ProgramSearch,
  executor: CommandExecutor,
): Promise<Outcome<ReadyProbe>> {
  const architecture = process.arch;
  if (process.platform !== 'linux' || (architecture !== 'x64' && architecture !== 'arm64')) {
    return failed({
      message: `bubblewrap does not run on ${process.platform} ${architecture}`,
      help: 'use Linux on x64 or arm64',
    });
  }
  const bwrapPath = program === undefined ? findBwrap(searchPath) : executableAt(program);
  if (bwrapPath === undefined) return failed(program === undefined ? notInstalled : notExecutable(program));
  const [version, options] = await Promise.all(
    ['--version', '--help'].map((option) => bwrapSays({bwrapPath, option, executor})),
  );
  const bindsFds = / --bind-fd /.test(options ?? '');
  const host = lookAtHost({bwrapPath, bindsFds, prlimitPath: findPrlimit()});
  const filter = buildFilter(architecture);
  const tried = await trial(host, filter);
  if (!tried.ok) return failed(explainFailure(tried.problem));
  const found = guarantees(host);
  return ok({
    host,
    filter,
    report: {
      available: true,
      backend: 'bubblewrap',
      tier: tierOf(found),
      version: (version ?? '').trim().replace(/^bubblewrap /, ''),
      guarantees: found,
      gaps: bindsFds ? [] : [looksAtMounts],
    },
  });
}

interface Question {
  readonly bwrapPath: string;
  readonly option: string;
  readonly executor: CommandExecutor;
}

async function bwrapSays({bwrapPath, option, executor}: Question): Promise<string> {
  const outputSink = {kind: 'capture', maxBytes: 20_000} as const;
  const {stdout} = await executor.run({
    command: bwrapPath,
    args: [option],
    cwd: '/',
    env: {},
    outputSink,
    timeoutMs: trialMs,
  });
  return stdout;
}

/** The problem is the error message of bwrap. */
async function trial(host: HostSystem, filter: Uint8Array): Promise<Outcome<undefined, string>> {
  const launched = await launchBubblewrap({
    host,
    filter,
    profile: narrowestProfile(),
    argv: ['/bin/true'],
    cwd: '/tmp',
    output: 'pipe',
    withWire: false,
    timeoutMs: trialMs,
  });
  const said = launched.stderr === undefined ? () => ({text: ''}) : captureOutput(launched.stderr, 4000);
  const {exitCode, startError} = await launched.ended;
  return exitCode === 0 ? ok(undefined) : failed(startError ?? said().text);
}

function guarantees({prlimitPath, uid, controlGroups}: HostSystem): Guarantees {
  const byRlimit: Strength = prlimitPath === undefined ? 'unsupported' : 'enforced';
  return {
    filesystem: 'enforced',
    // Existing files are protected; new ones are found after the call.
    trusted_files: 'best_effort',
    network_off: 'enforced',
    // Until their own trial.
    network_allowlist: 'unsupported',
    network_full: 'unsupported',
    processes: 'enforced',
    environment: 'enforced',
    system_calls: 'enforced',
    kernel: 'unsupported',
    wall_time: 'enforced',
    // Measured, like all limits that no control group enforces.
    cpu_time: 'best_effort',
    memory: controlGroups?.enforces.includes('memory_bytes') === true ? 'enforced' : 'best_effort',
    process_count: countStrength({uid, controlGroups}, byRlimit),
    open_files: byRlimit,
    file_size: byRlimit,
    output: 'enforced',
  };
}

/** A limit of the number of processes binds every user but root. */
function countStrength({uid, controlGroups}: Pick<HostSystem, 'uid' | 'controlGroups'>, byRlimit: Strength): Strength {
  if (controlGroups?.enforces.includes('processes') === true) return 'enforced';
  return uid === 0 || byRlimit === 'unsupported' ? 'best_effort' : byRlimit;
}
