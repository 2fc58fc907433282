// The context and result of a command. Commands do not print: one place renders every outcome, as text or as one JSON document.
import type {ToolFailure} from '@lumenflow/schemas';
import type {Style} from './rendering/style.ts';

export interface CliContext {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  /** The folder given by `--workspace`. */
  readonly workspace: string | undefined;
  /** Aborts on the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Of stdout. */
  readonly style: Style;
  /** Of stderr. */
  readonly errorStyle: Style;
  /** For people while the command runs, on stderr. Prints nothing with --json. */
  notify(text: string): void;
  /** Writes to stderr unchanged, with --json too: the log of a server. */
  log(text: string): void;
  /** Prints an outcome immediately, for a command that continues and finally returns undefined. */
  announce(outcome: Outcome): void;
  /** Streams text to stdout, no faster than the reader consumes it. Ends early if the reader closes the stream. */
  stream(chunks: AsyncIterable<string>): Promise<void>;
  /** Runs work behind a spinner. `say` changes its text. */
  spin<T>(label: string, work: (say: (text: string) => void) => Promise<T>): Promise<T>;
  /** True if stdout is a terminal that can be redrawn. */
  readonly isInteractive: boolean;
  /** Calls the listener with each line of stdin. Returns a function that removes it. */
  onLine(listener: (line: string) => void): () => void;
  /** Reads all of stdin as text. */
  readStdin(): Promise<string>;
}

export interface Outcome {
  /** The JSON document, beside `ok` and `error`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For people, on stdout, without a final line break. */
  text?(): string;
  /** For people, on stderr, after the text. */
  note?(): string;
  readonly failure?: ToolFailure;
  /** `line`: one of several documents, each on its own line. */
  readonly layout?: 'indented' | 'line';
  /** Default: 0, or the exit code of the failure. */
  readonly exitCode?: number;
}

export type Command<Options extends object = object> = (
  context: CliContext,
  args: readonly string[],
  options: Options,
) => Promise<Outcome | undefined>;
