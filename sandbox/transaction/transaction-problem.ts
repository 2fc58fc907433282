// Problems that discard all changes of a call, for people.
import type {ChangeProblem} from './change.ts';
import {describeSystemError} from './describe-system-error.ts';
import {DirectoryLocked} from './directory-locked.ts';
import type {TransactionProblem} from './transaction.ts';
import {describeMetLimit, pathBytesMax, type MetWriteLimit} from './write-limits.ts';

export function discardedText(why: string): string {
  return `${why}; none of the call's changes were applied`;
}

export function exceeds(met: MetWriteLimit): TransactionProblem {
  return {
    code: 'LIMIT_EXCEEDED',
    message: discardedText(describeMetLimit(met)),
    details: {limit: met.limit, bound: met.bound},
  };
}

export function unfit(problem: ChangeProblem): TransactionProblem {
  if (problem.kind === 'unreadable_name') {
    const message = `a name in \`${problem.directory || '.'}\` is not UTF-8, so no scope can cover it: use a UTF-8 name, or declare \`writes: direct\` for the tool`;
    return {code: 'SCOPE_DENIED', message: discardedText(message), details: {path: problem.directory}};
  }
  if (problem.kind === 'linked') {
    const [first, other] = problem.paths;
    const message =
      `\`${first}\` and \`${other}\` are names of one file (hard links), and the call wrote different content to each: ` +
      'a transactional call can write to only one of them; separate them (`cp` one, then move the copy over it), or declare `writes: direct` for the tool';
    return {code: 'SCOPE_DENIED', message: discardedText(message), details: {path: first, linked: other}};
  }
  if (problem.kind === 'too_long') {
    const shown = `${problem.path.slice(0, 80)}…`;
    const message = `a path that the call created is too long to apply (\`${shown}\`): it has more than ${pathBytesMax} bytes`;
    return {
      code: 'LIMIT_EXCEEDED',
      message: discardedText(message),
      details: {limit: 'path_bytes', bound: pathBytesMax},
    };
  }
  const message = `the call changed more than ${problem.changesMax} paths, the maximum for one call`;
  return {
    code: 'LIMIT_EXCEEDED',
    message: discardedText(message),
    details: {limit: 'changes', bound: problem.changesMax},
  };
}

/** A file system that cannot be read has no changes to judge. */
export function unreadable(error: unknown): TransactionProblem {
  if (!(error instanceof DirectoryLocked))
    return executionFailed(`the call's changes could not be inspected: ${describeSystemError(error)}`);
  const {path} = error;
  return {
    code: 'SCOPE_DENIED',
    message: discardedText(
      `the call left \`${path}\` without permission to list and enter it, so LumenFlow could not check later calls: keep \`u+rwx\` on directories`,
    ),
    details: {path, access: 'write'},
  };
}

export function executionFailed(message: string): TransactionProblem {
  return {code: 'TOOL_EXECUTION_FAILED', message: discardedText(message), details: {}};
}
