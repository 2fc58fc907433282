// The handler that runs code inside a sandbox, as a separate process. The wire to the host is not open in that process: its requests
// come here, and go on as calls of this handler.
import {spawn, type ChildProcess} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {constants, tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import type {Readable, Writable} from 'node:stream';
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {ToolFailure} from '@lumenflow/schemas';
import {PrintedText} from '../quickjs/printed-text.ts';
import type {EngineEnd} from '../quickjs/engine-messages.ts';
import {overTime} from '../over-time.ts';
import {userFrames, type FrameSource} from '../user-frames.ts';
import {languages} from './languages.ts';
import {answerLine, programLine} from './program-line.ts';
import type {SandboxedCode} from './sandboxed-code.ts';

/** A program that has ended does not make the run wait for its background processes. */
const drainMs = 500;
const messageCharsMax = 4_000;

export async function runCode(input: SandboxedCode, context: ToolContext): Promise<EngineEnd> {
  const {language, code} = input;
  const {command, files, file, head = '', tail = ''} = languages[language];
  const folder = mkdtempSync(join(tmpdir(), 'code-'));
  for (const [name, text] of Object.entries({...files, [file]: `${head}${code}${tail}`}))
    writeFileSync(join(folder, name), text);
  const [program, ...args] = command;
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const;
  const child = spawn(program, args, {cwd: folder, stdio: [...stdio], detached: true});
  return await new ProgramRun(child, context, input).end(program);
}

class ProgramRun {
  readonly #child: ChildProcess;
  readonly #context: ToolContext;
  readonly #printed: PrintedText;
  #value = 'null';
  #failure: ToolFailure | undefined;
  readonly #wallMs: number;
  readonly #source: FrameSource;

  constructor(child: ChildProcess, context: ToolContext, {language, output_bytes, wall_time_ms}: SandboxedCode) {
    this.#child = child;
    this.#context = context;
    this.#printed = new PrintedText(output_bytes);
    this.#wallMs = wall_time_ms;
    const {file, head = ''} = languages[language];
    this.#source = {file, head: head.length};
  }

  async end(program: string): Promise<EngineEnd> {
    const [, stdout, stderr, requests, answers] = this.#child.stdio as [null, Readable, Readable, Readable, Writable];
    // A program may end while it is answered.
    for (const stream of [stdout, stderr, requests, answers]) stream.on('error', () => stream.destroy());
    stdout.setEncoding('utf8').on('data', (text: string) => this.#printed.add('stdout', text));
    stderr.setEncoding('utf8').on('data', (text: string) => this.#printed.add('stderr', text));
    createInterface({input: requests}).on('line', (line) => this.#receive(line, answers));
    const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      this.#kill();
    }, this.#wallMs);
    const problem = await this.#exit(program);
    clearTimeout(limit);
    const drain = setTimeout(() => this.#kill(), drainMs);
    if (this.#child.pid !== undefined) await closed;
    clearTimeout(drain);
    this.#kill();
    if (problem === undefined) return {...this.#printed.text(), value: this.#value};
    const failure = isLate ? overTime(this.#wallMs) : (this.#failure ?? failed(problem));
    return {...this.#printed.text(), failure};
  }

  /** Why it did not succeed. */
  async #exit(program: string): Promise<string | undefined> {
    return await new Promise((resolve) => {
      this.#child.once('error', ({message}) => resolve(`\`${program}\` cannot be started in this sandbox: ${message}`));
      this.#child.once('exit', (exitCode, signal) => {
        const status = exitCode ?? 128 + constants.signals[signal ?? 'SIGKILL'];
        resolve(status === 0 ? undefined : `the program exited with ${status}`);
      });
    });
  }

  #receive(text: string, answers: Writable): void {
    const line = programLine(text);
    if (line?.kind === 'value') this.#value = line.json;
    else if (line?.kind === 'failure') this.#failure = failed(line.text, userFrames(line.stack, this.#source));
    else if (line !== undefined) void this.#answer(line, answers);
  }

  async #answer(
    {id, operation, args}: Extract<ReturnType<typeof programLine>, {kind: 'request'}>,
    answers: Writable,
  ): Promise<void> {
    const {success, data, error} = await this.#context.callTool(operation, args);
    const answer = success ? {value: data ?? null} : {problem: error ?? {}};
    if (!answers.destroyed) answers.write(answerLine(id, answer));
  }

  #kill(): void {
    const {pid} = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // ESRCH: the whole group has already ended.
    }
  }
}

function failed(text: string, stack = ''): ToolFailure {
  const message = `the code failed: ${text}`.slice(0, messageCharsMax);
  return {code: 'TOOL_EXECUTION_FAILED', message, ...(stack !== '' && {details: {stack}})};
}
