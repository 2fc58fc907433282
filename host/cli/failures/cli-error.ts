// A failure that ends a command and is reported: what was wrong, where, and how to fix it. It is thrown, so that open hosts close
// on the way to the one place that prints it.
import type {Problem} from '@lumenflow/kernel';

export interface CliErrorOptions {
  /** How to fix it. */
  readonly help?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Problems from loading a workspace or a pack, reported one by one. */
  readonly problems?: readonly Problem[] | undefined;
  /** Default: the exit code of the error code. */
  readonly exitCode?: number | undefined;
}

export class CliError extends Error {
  readonly code: string;
  readonly options: CliErrorOptions;

  constructor(code: string, message: string, options: CliErrorOptions = {}) {
    super(message);
    this.name = 'CliError';
    this.code = code;
    this.options = options;
  }
}
