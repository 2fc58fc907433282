// Why nothing of what a call wrote is applied, for people.
import type {ChangeProblem} from './change.ts';
import {describeSystemError} from './describe-system-error.ts';
import {DirectoryLocked} from './directory-locked.ts';
import type {TransactionFailure} from './transaction.ts';
import {describeMetLimit, pathBytesMax, type MetWriteLimit} from './write-limits.ts';

export function discardedText(why: string): string {
  return `${why}; nothing of what the call wrote was applied`;
}

export function exceeds(met: MetWriteLimit): TransactionFailure {
  return {
    code: 'LIMIT_EXCEEDED',
    message: discardedText(describeMetLimit(met)),
    details: {limit: met.limit, bound: met.bound},
  };
}

export function notFound(problem: ChangeProblem): TransactionFailure {
  if (problem.kind === 'unreadable_name') {
    const message = `a name in \`${problem.directory || '.'}\` is not UTF-8, so no scope can cover it: give it a name in UTF-8, or let the tool write with \`writes: direct\``;
    return {code: 'SCOPE_DENIED', message: discardedText(message), details: {path: problem.directory}};
  }
  if (problem.kind === 'linked') {
    const [first, other] = problem.paths;
    const message =
      `\`${first}\` and \`${other}\` are names of one file (hard links), and the call wrote something else to each: ` +
      'a transactional call can write to one of them; separate them (`cp` one, and move the copy over it), or let the tool write with `writes: direct`';
    return {code: 'SCOPE_DENIED', message: discardedText(message), details: {path: first, linked: other}};
  }
  if (problem.kind === 'too_long') {
    const shown = `${problem.path.slice(0, 80)}…`;
    const message = `a path that the call made is too long to be applied (\`${shown}\`): the way to it has more than ${pathBytesMax} bytes`;
    return {
      code: 'LIMIT_EXCEEDED',
      message: discardedText(message),
      details: {limit: 'path_bytes', bound: pathBytesMax},
    };
  }
  const message = `the call changed more than ${problem.changesMax} paths, which is the most that one call can change`;
  return {
    code: 'LIMIT_EXCEEDED',
    message: discardedText(message),
    details: {limit: 'changes', bound: problem.changesMax},
  };
}

/** A file system that cannot be read has no changes to judge. */
export function unreadable(error: unknown): TransactionFailure {
  if (!(error instanceof DirectoryLocked))
    return failed(`what the call wrote could not be looked through: ${describeSystemError(error)}`);
  const {path} = error;
  return {
    code: 'SCOPE_DENIED',
    message: discardedText(
      `the call left \`${path}\` without the permissions to list and enter it, so later calls could not be checked: leave directories with \`u+rwx\``,
    ),
    details: {path, access: 'write'},
  };
}

export function failed(message: string): TransactionFailure {
  return {code: 'TOOL_EXECUTION_FAILED', message: discardedText(message), details: {}};
}
