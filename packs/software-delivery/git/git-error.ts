// Maps git's error output to codes for callers.
import {ToolError, type ExecResult} from '@lumenflow/pack-sdk';

interface KnownFailure {
  readonly says: RegExp;
  readonly code: string;
  readonly message: string;
}

const knownFailures: readonly KnownFailure[] = [
  {
    says: /not a git repository/,
    code: 'NOT_A_REPOSITORY',
    message: 'the workspace is not a git repository, or the granted scopes do not show its `.git`',
  },
  {says: /usage: git merge-tree/, code: 'GIT_TOO_OLD', message: 'git 2.38 or newer is needed to merge'},
  {says: /did not match any files/, code: 'NOT_FOUND', message: 'a path matches no file'},
  {says: /ignored by one of your \.gitignore files/, code: 'PATH_IGNORED', message: 'a path is ignored by .gitignore'},
  {says: /beyond a symbolic link/, code: 'INVALID_PATH', message: 'a path leads through a symbolic link'},
  {
    says: /\.lock': File exists/,
    code: 'REPOSITORY_LOCKED',
    message: 'another git process has locked the repository: retry, or ask a person to remove a stale lock',
  },
  {says: /Read-only file system|Permission denied/, code: 'SCOPE_DENIED', message: 'git is not allowed to write here'},
  {
    says: /Could not resolve host|unable to access|Connection (?:refused|timed out|reset)|does not appear to be a git/,
    code: 'REMOTE_UNREACHABLE',
    message: 'the remote is unreachable: the lane must allow its network',
  },
  {
    says: /bad revision|unknown revision|ambiguous argument|bad object|Invalid (?:revision|symmetric)/,
    code: 'UNKNOWN_REVISION',
    message: 'a revision is unknown',
  },
];

/** A ToolError with a specific code, else GIT_FAILED. The details contain git's own output. */
export function gitError(subcommand: string, result: ExecResult): ToolError {
  const stderr = result.stderr.trim().slice(0, 4000);
  const details = {subcommand, exit_code: result.exit_code, stderr};
  if (result.timed_out) {
    return new ToolError('GIT_TIMEOUT', `\`git ${subcommand}\` timed out`, {...details, retryable: true});
  }
  const known = knownFailures.find(({says}) => says.test(stderr));
  const firstLine = stderr.split('\n', 1)[0] ?? '';
  if (known === undefined) {
    return new ToolError('GIT_FAILED', `\`git ${subcommand}\` failed: ${firstLine || 'no error output'}`, details);
  }
  const retryable = known.code === 'REPOSITORY_LOCKED' ? {retryable: true} : {};
  return new ToolError(known.code, `${known.message}: ${firstLine}`, {...details, ...retryable});
}
