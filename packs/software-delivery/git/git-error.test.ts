import {describe, expect, it} from 'vitest';
import {gitError} from './git-error.ts';

const failed = {stdout: '', stderr: '', exit_code: 128, truncated: false, timed_out: false};

describe('gitError', () => {
  it.each([
    ['usage: git merge-tree <base-tree> <branch1> <branch2>', 'GIT_TOO_OLD'],
    ['fatal: not a git repository', 'NOT_A_REPOSITORY'],
    ["fatal: unable to access 'https://x/': Could not resolve host: x", 'REMOTE_UNREACHABLE'],
    ["fatal: Unable to create '/x/.git/index.lock': File exists.", 'REPOSITORY_LOCKED'],
    ['error: cannot open x: Read-only file system', 'SCOPE_DENIED'],
    ['fatal: something else\nsecond line', 'GIT_FAILED'],
    ['', 'GIT_FAILED'],
  ])('%s', (stderr, code) => {
    const error = gitError('merge-tree', {...failed, stderr});
    expect(error).toMatchObject({code, details: {subcommand: 'merge-tree', exit_code: 128}});
    expect(error.message).not.toContain('second line');
  });

  it('reports a command that timed out', () => {
    expect(gitError('log', {...failed, timed_out: true})).toMatchObject({code: 'GIT_TIMEOUT'});
  });
});
