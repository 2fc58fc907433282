import {describe, expect, it} from 'vitest';
import {namesTrusted, trustedAround} from './trusted-paths.ts';

describe('trustedAround', () => {
  it.each([
    ['.npmrc', '.npmrc'],
    ['a/.vscode/tasks.json', 'a/.vscode'],
    ['.git/hooks/pre-commit', '.git/hooks'],
    ['worktrees/a/.git', 'worktrees/a/.git'],
    ['.git/worktrees/a/gitdir', '.git/worktrees/a/gitdir'],
    ['.git/HEAD', undefined],
    ['src/npmrc', undefined],
    // Agents obey their instructions in any folder.
    ['docs/CLAUDE.md', 'docs/CLAUDE.md'],
    ['docs/AGENTS.md', 'docs/AGENTS.md'],
  ])('%s', (path, trusted) => expect(trustedAround(path)).toBe(trusted));
});

describe('namesTrusted', () => {
  it.each([
    ['.npmrc', '.npmrc'],
    ['.git/hooks/**', '.git/hooks'],
    ['a/*/.github/workflows/*.yml', 'a/b/.github/workflows'],
    ['*/*/.git', 'worktrees/a/.git'],
    ['.git/worktrees/*/gitdir', '.git/worktrees/a/gitdir'],
  ])('%s names %s', (pattern, trusted) => expect(namesTrusted(pattern, trusted)).toBe(true));

  it.each([
    ['**', '.npmrc'],
    ['.n*', '.npmrc'],
    ['**/.npmrc', 'a/.npmrc'],
    ['.git/**', '.git/hooks'],
    ['a/*/*/workflows/**', 'a/b/.github/workflows'],
    ['worktrees/*', 'worktrees/.git'],
    ['worktrees/a/*', 'worktrees/a/.git'],
    ['worktrees/**/.git', 'worktrees/a/.git'],
    ['worktrees/a', 'worktrees/a/.git'],
  ])('%s does not name %s', (pattern, trusted) => expect(namesTrusted(pattern, trusted)).toBe(false));
});
