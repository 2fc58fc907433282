// Files that programs outside the sandbox obey: git runs hooks, shells read rc files, editors and agents run
// what their configuration says. Inside a writable mount they stay read-only, or writing one would be a way out.
// Handlers that lay out trees of files ask here, too, which of them they had better leave out.
import type {FileStat} from './tool-context.ts';

/** Relative to any directory a tool may write in. */
export const trustedPaths: readonly string[] = [
  '.git/hooks',
  '.git/config',
  '.git/config.worktree',
  '.git/info',
  '.git/commondir',
  '.gitconfig',
  '.gitmodules',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.inputrc',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.config/fish',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.envrc',
  '.husky',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.ripgreprc',
  '.mcp.json',
  '.claude',
  '.cursor',
  '.codex',
  '.gemini',
  '.windsurf',
  '.continue',
  '.aider.conf.yml',
  '.github/workflows',
  '.github/actions',
  '.gitlab-ci.yml',
  '.circleci',
  '.buildkite',
  '.travis.yml',
  '.drone.yml',
  '.woodpecker',
  '.woodpecker.yml',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
  'workspace.yaml',
  'packs.lock',
];

const trustedByLastName: ReadonlyMap<string, readonly string[]> = groupedByLastName(trustedPaths);

/** What governs a repository kept inside another's `.git`: a submodule's, a work tree's. */
const innerGitDirectory = /(^|\/)\.git\/(modules|worktrees)\//;
const innerGitNames: ReadonlySet<string> = new Set([
  'hooks',
  'config',
  'config.worktree',
  'info',
  'commondir',
  'gitdir',
]);

/** Whether a workspace-relative path is trusted itself. */
export function isTrusted(relative: string, kind: FileStat['kind']): boolean {
  const name = lastName(relative);
  if (name === '.git') return kind !== 'directory';
  if (innerGitNames.has(name) && innerGitDirectory.test(relative)) return true;
  return (trustedByLastName.get(name) ?? []).some((path) => relative === path || relative.endsWith(`/${path}`));
}

/**
 * The path that programs outside the sandbox obey and that a workspace-relative path is, or lies in; undefined when there is
 * none. What lies there is written only under a scope that names it: see `namesTrusted`.
 */
export function trustedAround(relative: string): string | undefined {
  const names = relative.split('/');
  for (let length = 1; length <= names.length; length += 1) {
    const path = names.slice(0, length).join('/');
    // A directory unless it is the last: `.git` alone is a file only there.
    if (isTrusted(path, length === names.length ? 'file' : 'directory')) return path;
  }
  return undefined;
}

/**
 * Whether a pattern that matches a trusted path, or something in it, names it: its own name is spelt out, at a depth that is
 * spelt out. `worktrees/?/.git` names `worktrees/a/.git`; neither `worktrees/**` nor `worktrees/a/*` do.
 */
export function namesTrusted(pattern: string, trusted: string): boolean {
  const spelt = pattern.split('/');
  const path = trusted.split('/');
  const nameAt = path.length - nameLength(path);
  return path.every((name, at) => {
    const segment = spelt[at];
    return segment === name || (at < nameAt && segment !== undefined && segment !== '**');
  });
}

/** How many of the last segments make the path one that is obeyed. */
function nameLength(path: readonly string[]): number {
  const text = path.join('/');
  const known = (trustedByLastName.get(path.at(-1) ?? '') ?? []).find(
    (each) => text === each || text.endsWith(`/${each}`),
  );
  return known?.split('/').length ?? 1;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function groupedByLastName(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) groups.set(lastName(path), [...(groups.get(lastName(path)) ?? []), path]);
  return groups;
}
