// What a command gets and what it answers. Commands print nothing themselves: one place renders all of them,
// for people or as one JSON document.
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
  /** For people while the command runs, on stderr; nothing with --json. */
  notify(text: string): void;
  /** Prints an outcome now, for a command that goes on: it answers undefined in the end. */
  announce(outcome: Outcome): void;
  /** Prints text on stdout as it comes, no faster than it is read; ends early when nobody reads on. */
  stream(chunks: AsyncIterable<string>): Promise<void>;
  /** Runs work behind a spinner that `say` changes the text of. */
  spin<T>(label: string, work: (say: (text: string) => void) => Promise<T>): Promise<T>;
  /** Whether a person looks at what is printed, on a terminal that can be drawn over. */
  readonly isInteractive: boolean;
  /** Hears each line of stdin. Gives the function that ends it. */
  onLine(listener: (line: string) => void): () => void;
  /** All of stdin as text. */
  readStdin(): Promise<string>;
}

export interface Outcome {
  /** The JSON document, beside `ok` and `error`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For people, on stdout; without a line break at its end. */
  text?(): string;
  /** For people, on stderr, after the text. */
  note?(): string;
  readonly failure?: ToolFailure;
  /** `line`: one of several documents, each on a line of its own. */
  readonly layout?: 'indented' | 'line';
  /** Default: 0, or what the failure's code means. */
  readonly exitCode?: number;
}

export type Command<Options extends object = object> = (
  context: CliContext,
  args: readonly string[],
  options: Options,
) => Promise<Outcome | undefined>;
