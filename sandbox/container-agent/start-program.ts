// Starts the program of a call in its container. The container confines it: nothing in it can.
import {mkdirSync} from 'node:fs';
import {limitCommand, findPrlimit} from '../commands/rlimits.ts';
import {spawnProcess} from '../commands/spawn-process.ts';
import type {AgentProgram} from '../guest/agent/run-agent.ts';
import type {HostMessage} from '../guest/guest-messages.ts';
import {containerMeter} from './container-meter.ts';

/** Tasks of the first process, of the one that it waits for, and of the agent: the user's processes are counted together. */
const ownTasks = 32;

export async function startProgram({
  profile,
  argv,
  cwd,
  withWire,
}: Extract<HostMessage, {type: 'start'}>): Promise<AgentProgram> {
  const {processes, ...limits} = profile.limits;
  const bounds = {...limits, ...(processes !== undefined && {processes: processes + ownTasks})};
  const limited = limitCommand(argv, bounds, findPrlimit());
  const [command = '', ...args] = limited.argv.map((part) => (part === nodeOfHost(argv) ? process.execPath : part));
  // Of a call that is granted nothing in its workspace, nothing was unpacked there.
  mkdirSync(cwd, {recursive: true});
  const started = await spawnProcess({
    command,
    args,
    cwd,
    env: profile.env as Record<string, string>,
    stdio: withWire ? ['ignore', 'pipe', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, wire] = started.pipes;
  return {
    wire: wire ?? undefined,
    stdout: stdout ?? undefined,
    stderr: stderr ?? undefined,
    ended: started.ended,
    meter: started.pid === undefined ? undefined : containerMeter(),
    grouped: [],
    // The container has the limit.
    unenforced: limited.unenforced.filter((limit) => limit !== 'memory_bytes'),
  };
}

/** The image has Node where it likes. */
function nodeOfHost([program = '']: readonly string[]): string | undefined {
  return program.endsWith('/node') ? program : undefined;
}
