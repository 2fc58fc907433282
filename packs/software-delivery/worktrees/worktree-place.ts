// The location of work units' worktrees. The folder name is fixed, because scopes in the manifest contain it.
export const worktreesFolder = 'worktrees';

/** Relative to the workspace root; undefined if the id is not a work unit id. */
export function worktreePath(id: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9-]{0,30}-[1-9]\d{0,8}$/.test(id) ? `${worktreesFolder}/${id.toLowerCase()}` : undefined;
}

/** Git's own folder for the worktree at that path, relative to the workspace root. */
export function adminFolder(path: string): string {
  return `.git/worktrees/${path.slice(path.lastIndexOf('/') + 1)}`;
}
