// A failure of a command that is told and ends it: what was wrong, where, and what to do.
import type {Problem} from '@lumenflow/kernel';

export interface CliErrorOptions {
  /** What to do about it. */
  readonly help?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Found while loading a workspace or a pack; told one by one. */
  readonly problems?: readonly Problem[];
  /** Default: what the code means. */
  readonly exitCode?: number;
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
