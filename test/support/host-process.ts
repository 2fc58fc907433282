// The built host in a separate process, as root or another user, to send commands to, to kill, and to wait for.
import type {EvidencePage, TaskRecord, TaskRun, TransitionResult, VerifyReport} from '@lumenflow/kernel';
import type {ToolOutput} from '@lumenflow/schemas';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {become, type ProgramUser} from './lumenflow-program.ts';

interface Answers {
  readonly open: {readonly task_id: string; readonly run_id: string; readonly session_id: string};
  readonly call: ToolOutput;
  readonly claim: TransitionResult<TaskRun>;
  readonly create: TransitionResult<unknown>;
  readonly resolve: TransitionResult<unknown>;
  readonly tasks: readonly TaskRecord[];
  readonly receipts: EvidencePage;
  readonly verify: VerifyReport;
  readonly close: undefined;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

export interface HostProcess {
  ask<C extends keyof Answers>(command: C, argument?: unknown): Promise<Answers[C]>;
  call(tool: string, input?: unknown): Promise<ToolOutput>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Closes the host; resolves with the exit code once the process has ended by itself. */
  close(): Promise<number | null>;
}

const program = fileURLToPath(new URL('host-process.mjs', import.meta.url));

export interface HostProcessWords {
  readonly user?: ProgramUser | undefined;
  /** How long ago what its kernel records is dated; default 0. */
  readonly hoursBehind?: number;
}

/** Throws with what the process said when it could not start. */
export async function startHostProcess(
  root: string,
  {user, hoursBehind = 0}: HostProcessWords = {},
): Promise<HostProcess> {
  const command = [process.execPath, program, root, String(hoursBehind)];
  const [file = process.execPath, ...args] = [...(user === undefined ? [] : become(user)), ...command];
  const env = {PATH: process.env['PATH'] ?? '', HOME: root};
  const child = spawn(file, args, {env, stdio: ['pipe', 'pipe', 'pipe']});
  const ended = once(child, 'close') as Promise<[number | null]>;
  const waiting = new Map<number, (reply: Omit<Reply, 'id'>) => void>();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  // Input that a killed process can no longer read does not matter.
  child.stdin.on('error', () => undefined);
  createInterface({input: child.stdout}).on('line', (line) => {
    const reply = readReply(line);
    // A process that is killed may leave half a line.
    if (reply === undefined) said += line;
    else waiting.get(reply.id)?.(reply);
  });
  const answerTo = async (id: number): Promise<unknown> => {
    const {value, error} = await new Promise<Omit<Reply, 'id'>>((resolve) => {
      waiting.set(id, resolve);
      void ended.then(() => resolve({error: `the process ended: ${said}`}));
    });
    waiting.delete(id);
    if (error !== undefined) throw new Error(error);
    return value;
  };
  let asked = 0;
  await answerTo(0);
  const ask: HostProcess['ask'] = async (command, argument) => {
    const id = (asked += 1);
    child.stdin.write(`${JSON.stringify({id, command, argument})}\n`);
    return (await answerTo(id)) as never;
  };
  return {
    ask,
    call: (tool, input = {}) => ask('call', {tool, input}),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async close() {
      await ask('close');
      return (await ended)[0];
    },
  };
}

function readReply(line: string): Reply | undefined {
  try {
    return JSON.parse(line) as Reply;
  } catch {
    return undefined;
  }
}
