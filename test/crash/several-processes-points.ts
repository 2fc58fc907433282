// Three hosts and a command line work on one workspace at once. One host is killed under load, and another one replaces it. There is
// one log, one of several claims wins, the survivors continue, and their open calls stay open.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {setTimeout as sleep} from 'node:timers/promises';
import {checkWorkspace} from './check-workspace.ts';
import {tries, type CrashPoint, type SuiteOptions} from './crash-point.ts';
import {makeCrashWorkspace, type CrashWorkspace} from './crash-workspace.ts';
import {doubleWins} from './double-wins.ts';
import {createRandom, type Random} from './random.ts';
import {startWorker, type Worker} from './start-worker.ts';

export async function* severalProcessesPoints(options: SuiteOptions): AsyncGenerator<CrashPoint> {
  const random = createRandom(options.seed);
  for (let round = 0; round < tries(12, options); round += 1) {
    const workspace = await makeCrashWorkspace();
    try {
      yield await killOneOfThree(workspace, round, random);
    } finally {
      workspace.remove();
    }
  }
}

async function killOneOfThree(workspace: CrashWorkspace, round: number, random: Random): Promise<CrashPoint> {
  const {root} = workspace;
  // Kernels over small segments sign and rotate far more often than hosts do.
  const kind = round % 2 === 0 ? 'host' : 'small segments';
  const start = (name: string): Worker =>
    startWorker({kind, root, name, seed: random.below(2 ** 31), callers: 24, flags: ['competes', 'slow']});
  const hosts = ['a', 'b', 'c'].map(start);
  await Promise.all(hosts.map(({ready}) => ready));
  const commandLine = runCommandLine(root);
  await sleep(400 + random.below(800));
  const victim = random.pick(hosts);
  const killedAt = performance.now();
  await victim.kill();
  const heir = start('d');
  await heir.ready;
  await sleep(1_200);
  const survivors = [...hosts.filter((host) => host !== victim), heir];
  const complaints = [...(await Promise.all(survivors.map((host) => host.stop()))), await commandLine.stop()];
  const everyone = [...hosts, heir];
  const {problems} = await checkWorkspace(root, {
    reported: everyone.flatMap(({reported}) => reported),
    effects: workspace.effects(),
    mayBeCrashed: (pid) => pid === victim.pid,
  });
  return {
    name: `round ${round}, ${kind}, ${victim.name} killed`,
    problems: [...complaints.flatMap((complaint) => complaint ?? []), ...doubleWins(everyone), ...problems],
    figures: [
      {
        title: 'longest silence of a survivor after the kill, ms',
        value: longestSilence(
          hosts.filter((host) => host !== victim),
          killedAt,
        ),
        over: 'worst',
      },
      {title: 'calls of the command line beside the hosts', value: commandLine.calls, over: 'sum'},
    ],
  };
}

/** From the kill until the first call that a survivor finished, and between such calls; within the first second after it. */
function longestSilence(survivors: readonly Worker[], killedAt: number): number {
  const silences = survivors.map(({reportedAt}) => {
    const after = reportedAt.filter((at) => at > killedAt);
    const near = after.filter((_, index) => index === 0 || (after[index - 1] ?? 0) < killedAt + 1_000);
    return near.reduce((longest, at, index) => Math.max(longest, at - (near[index - 1] ?? killedAt)), 0);
  });
  return Math.round(Math.max(...silences));
}

interface CommandLine {
  readonly calls: number;
  /** Gives what went wrong. */
  stop(): Promise<string | undefined>;
}

/** Calls a tool by the real program, again and again. */
function runCommandLine(root: string): CommandLine {
  const program = fileURLToPath(new URL('../../host/dist/main.js', import.meta.url));
  const state = {stopped: false, calls: 0};
  const again = async (): Promise<string | undefined> => {
    while (!state.stopped) {
      const args = [program, 'tools', 'call', 'effects:write', 'path=a', '--json'];
      const child = spawn(process.execPath, args, {cwd: root, stdio: ['ignore', 'pipe', 'pipe']});
      let said = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
      }
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) return `the command line ended with ${String(code)}: ${said.slice(0, 500)}`;
      state.calls += 1;
    }
    return undefined;
  };
  const ended = again();
  return {
    get calls() {
      return state.calls;
    },
    stop() {
      state.stopped = true;
      return ended;
    },
  };
}
