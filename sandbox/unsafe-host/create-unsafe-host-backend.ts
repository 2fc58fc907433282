// No sandbox at all: the runner as a plain process of this user. For development where nothing better is available;
// it must be asked for by name, and every receipt says so.
import {programArgv} from '../backends/program-argv.ts';
import type {Guarantee, Strength} from '../backends/probe-report.ts';
import type {SandboxBackend, StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {tierOf, type Guarantees} from '../backends/security-tier.ts';
import {startProcess} from '../backends/start-process.ts';
import {findPrlimit, limitCommand} from '../commands/rlimits.ts';
import {withoutDefaults} from '../limits/without-defaults.ts';
import {ok} from '../outcome.ts';

const name = 'unsafe-host';
const lacks: readonly Guarantee[] = [
  'filesystem',
  'trusted_files',
  'network_off',
  'network_allowlist',
  'network_full',
  'processes',
  'system_calls',
  'kernel',
];
const unsandboxed = "no sandbox: the tool ran with all rights of the host's user";

export function createUnsafeHostBackend(): SandboxBackend {
  return {
    name,
    capabilities: {spares: false, views: false, network: undefined, selfTest: false, killsAtOnce: false, lacks},
    async probe() {
      const found = guarantees();
      return {
        available: true,
        backend: name,
        tier: tierOf(found),
        version: process.version,
        guarantees: found,
        gaps: [{message: unsandboxed, help: 'use it for development only'}],
      };
    },
    start: async (request) => ok(await startUnconfined(request)),
    reap: async () => undefined,
    close: async () => undefined,
  };
}

async function startUnconfined({profile: {profile, workspaceRoot}, program}: StartRequest): Promise<StartedRunner> {
  const limits = withoutDefaults(profile.limits);
  const {argv, unenforced} = limitCommand(programArgv(program, {...profile, limits}), limits, findPrlimit());
  const [command = '', ...args] = argv;
  return await startProcess({
    command,
    args,
    cwd: workspaceRoot,
    // The home of the sandbox does not exist here.
    env: {...(profile.env as Record<string, string>), HOME: '/nonexistent'},
    withWire: program.kind === 'runner',
    degraded: [unsandboxed, ...unenforced.map((limit) => `${limit}: not enforced`)],
    setUpProblem: () => undefined,
  });
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
