// Where the worktrees of work units are. The folder's name is fixed: scopes in the manifest name it.
export const worktreesFolder = 'worktrees';

/** Relative to the workspace root; undefined for what is no id of a work unit. */
export function worktreePath(id: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9-]{0,30}-[1-9]\d{0,8}$/.test(id) ? `${worktreesFolder}/${id.toLowerCase()}` : undefined;
}

/** Where git keeps what it knows of the worktree at that path; relative to the workspace root as well. */
export function adminFolder(path: string): string {
  return `.git/worktrees/${path.slice(path.lastIndexOf('/') + 1)}`;
}
