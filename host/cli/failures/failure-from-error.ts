// Converts any error that ended a command to a failure with a code and a fix.
import type {Problem} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import {counted} from '../../text/counted.ts';
import {CliError} from './cli-error.ts';
import {exitCode, exitCodeOf} from './exit-code.ts';

export interface ReportedFailure {
  readonly failure: ToolFailure;
  readonly problems: readonly Problem[];
  readonly help: string | undefined;
  readonly exitCode: number;
}

export function failureFromError(error: unknown): ReportedFailure {
  if (error instanceof CliError) {
    const {code, message, options} = error;
    const {help, details, problems = []} = options;
    const shown = {...details, ...(help !== undefined && {help}), ...(problems.length > 0 && {problems})};
    return {
      failure: {code, message, details: shown},
      problems,
      help,
      exitCode: options.exitCode ?? exitCodeOf(code),
    };
  }
  if (isKernelFailure(error)) return kernelFailure(error);
  if (hasFailure(error)) return toolFailure(error.failure);
  if (isSystemFailure(error)) return systemFailure(error);
  const message = error instanceof Error ? error.message : String(error);
  return {
    failure: {code: 'INTERNAL', message, details: {stack: error instanceof Error ? error.stack : undefined}},
    problems: [],
    help: 'this is a defect: report it with what `LUMENFLOW_DEBUG=1` adds to this message',
    exitCode: exitCode.failed,
  };
}

/** The failure of a command after Ctrl-C. */
export function interrupted(error: unknown): ReportedFailure {
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    failure: {
      code: 'INTERRUPTED',
      message: 'stopped by Ctrl-C before it was done',
      details: {...(stack !== undefined && {stack})},
    },
    problems: [],
    help: undefined,
    exitCode: exitCode.interrupted,
  };
}

const corruptLogFix =
  '`lumenflow evidence verify` reports what is intact; restore a copy, or continue after the damage with `lumenflow evidence salvage`';

interface KernelFailure {
  readonly code: string;
  readonly message: string;
  readonly problems: readonly Problem[];
}

function kernelFailure({code, message, problems}: KernelFailure): ReportedFailure {
  // The problems follow the first line, one by one.
  const [first = message] = problems.length > 0 ? message.split('\n') : [message];
  // The message counts errors only, and the warnings are printed with them.
  const warnings = problems.filter(({severity}) => severity === 'warning').length;
  const headline = warnings === 0 ? first : `${first}, and ${counted(warnings, 'warning')}`;
  const help = code === 'LOG_CORRUPT' ? corruptLogFix : systemFixIn(message);
  return {
    failure: {code, message: headline, ...(problems.length > 0 && {details: {problems}})},
    problems,
    help,
    exitCode: exitCodeOf(code),
  };
}

/** Detects a KernelError by its brand, which avoids loading the kernel. */
function isKernelFailure(error: unknown): error is KernelFailure {
  return typeof error === 'object' && error !== null && 'isKernelError' in error;
}

/** The errors of the host that are thrown because they end many steps. */
function hasFailure(error: unknown): error is {readonly failure: ToolFailure} {
  return error instanceof Error && 'failure' in error && typeof Object(error.failure).code === 'string';
}

function toolFailure(failure: ToolFailure): ReportedFailure {
  const remedy = failure.details?.['remedy'];
  const help = typeof remedy === 'string' ? remedy : undefined;
  return {failure, problems: [], help, exitCode: exitCodeOf(failure.code)};
}

function isSystemFailure(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** The fix for an operating system error code in a message. */
export function systemFixIn(message: string): string | undefined {
  const [code = ''] = /\bE[A-Z]{3,}(?=:)/u.exec(message) ?? [];
  return fixes[code];
}

const fixes: Readonly<Record<string, string>> = {
  EACCES: 'look at the owner and the mode of this path, or run as its owner',
  EPERM: 'look at the owner and the mode of this path, or run as its owner',
  ENOENT: 'name an existing file',
  EROFS: 'the file system is mounted read-only: use a folder elsewhere',
  ENOSPC: 'the disk is full: make room',
  EMFILE: 'too many files are open: raise the limit with `ulimit -n`',
  EADDRINUSE: 'another program uses this port: choose another port with `--port`',
};

function systemFailure(error: NodeJS.ErrnoException): ReportedFailure {
  const code = error.code ?? 'INTERNAL';
  const help = fixes[code];
  return {
    failure: {
      code,
      message: error.message.replace(`${code}: `, ''),
      details: {...(error.path !== undefined && {path: error.path})},
    },
    problems: [],
    help,
    exitCode: exitCode.usage,
  };
}
