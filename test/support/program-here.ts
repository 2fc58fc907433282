// Runs `lumenflow` in this process: the program itself takes its streams, folder and environment as arguments. A new process
// must load it first, which takes longer than what most commands do.
import {realpathSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

interface Stream {
  write(text: string): void;
}

type Program = (
  args: readonly string[],
  terminal: {
    readonly stdin: AsyncIterable<string>;
    readonly stdout: Stream;
    readonly stderr: Stream;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
) => Promise<number>;

export interface RanHere {
  readonly code: number;
  readonly signal: null;
  readonly stdout: string;
  readonly stderr: string;
}

// Built, if the rest of the host is loaded from its build too.
const entry = process.env['LUMENFLOW_BUILT'] === '1' ? '../../host/dist/cli/program.js' : '../../host/cli/program.ts';

let isRunning = false;

/** Whether a command may start here: one at a time, because a command owns the environment of its process. */
export const isFree = (): boolean => !isRunning;

export async function runHere(
  args: readonly string[],
  {cwd, env, input}: {readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly input: string},
): Promise<RanHere> {
  isRunning = true;
  const printed = {stdout: '', stderr: ''};
  const stream = (name: keyof typeof printed): Stream => ({write: (text) => void (printed[name] += text)});
  const outer = {...process.env};
  replaceEnvironment(env);
  try {
    const {runProgram} = (await import(/* @vite-ignore */ fileURLToPath(new URL(entry, import.meta.url)))) as {
      readonly runProgram: Program;
    };
    const code = await runProgram(args, {
      stdin: linesOf(input),
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      cwd: realpathSync(cwd),
      env,
      signal: new AbortController().signal,
    });
    return {code, signal: null, ...printed};
  } finally {
    replaceEnvironment(outer);
    isRunning = false;
  }
}

async function* linesOf(input: string): AsyncGenerator<string> {
  if (input !== '') yield input;
}

function replaceEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
}
