// Creates a command's context from the terminal and the global options.
import {createInterface} from 'node:readline';
import {Readable} from 'node:stream';
import type {CliContext} from '../command.ts';
import {printOutcome} from './print-outcome.ts';
import {streamTo} from './stream-to.ts';
import {createStyle} from '../rendering/style.ts';
import {spin} from '../rendering/spin.ts';
import type {OutputStream, Terminal} from './terminal.ts';

/** Global options, which every command accepts. */
export interface GlobalOptions {
  readonly json?: boolean;
  /** For commands with more than two formats; `json` is the same as --json. */
  readonly format?: string;
  readonly workspace?: string;
  /** False with --no-color. */
  readonly color?: boolean | undefined;
}

export function createContext(terminal: Terminal, options: GlobalOptions): CliContext {
  const {stdout, stderr, env} = terminal;
  const json = options.json === true || options.format === 'json';
  const colours = (stream: OutputStream): boolean =>
    options.color !== false && stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const style = createStyle({colour: colours(stdout), ...widthsOf(stdout)});
  const errorStyle = createStyle({colour: colours(stderr), ...widthsOf(stderr)});
  const notify = (text: string): void => {
    if (!json) stderr.write(`${text}\n`);
  };
  if (stderr.isTTY === true) {
    const reported = errorStyle.dim('stopping … (Ctrl-C again ends immediately)');
    terminal.signal.addEventListener('abort', () => notify(`\n${reported}`), {once: true});
  }
  return {
    cwd: terminal.cwd,
    env,
    json,
    workspace: options.workspace,
    signal: terminal.signal,
    style,
    errorStyle,
    notify,
    log: (text) => void stderr.write(text),
    announce: (outcome) => void printOutcome(terminal, json, outcome),
    stream: async (chunks) => await streamTo(stdout, chunks),
    spin: (label, work) => spin({stream: stderr, isShown: !json && colours(stderr)}, label, work),
    isInteractive: !json && stdout.isTTY === true && env['TERM'] !== 'dumb',
    onLine: (listener) => onLines(terminal.stdin, listener),
    readStdin: async () => await readAll(terminal.stdin),
  };
}

function onLines(stdin: Terminal['stdin'], listener: (line: string) => void): () => void {
  const lines = createInterface({input: stdin instanceof Readable ? stdin : Readable.from(stdin)});
  lines.on('line', listener);
  return () => lines.close();
}

/** Lines wider than 120 columns are hard to read. */
function widthsOf({columns}: OutputStream): {readonly width: number; readonly tableWidth: number} {
  const width = Math.min(120, Math.max(40, columns ?? 80));
  return {width, tableWidth: columns === undefined ? Number.POSITIVE_INFINITY : width};
}

async function readAll(stream: Terminal['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}
