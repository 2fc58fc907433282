// The files of a call: those of its work unit's worktree, or else the workspace's. Tools work the same way in both: paths are
// relative to that root, and commands start in it.
import {isToolError, type ScopedFileSystem, type ToolContext} from '@lumenflow/pack-sdk';
import {worktreePath} from './worktree-place.ts';

/** The parts of a context that depend on the root. */
type Rooted = Pick<ToolContext, 'exec' | 'fs' | 'workspace_root'>;

export async function inWorkTree<Context extends Rooted & Pick<ToolContext, 'task_id'>>(
  context: Context,
): Promise<Context> {
  const path = worktreePath(context.task_id);
  return path !== undefined && (await isWorktree(context.fs, path)) ? atRoot(context, path) : context;
}

/** The same context with a folder of the workspace as its root. */
export function atRoot<Context extends Rooted>(context: Context, root: string): Context {
  const {exec, fs, workspace_root: workspaceRoot} = context;
  return {
    ...context,
    workspace_root: `${workspaceRoot}/${root}`,
    fs: filesBelow(fs, root),
    exec: (command, args, options = {}) => exec(command, args, {...options, cwd: placeBelow(root, options.cwd ?? '.')}),
  };
}

/** A linked worktree has a `.git` file. Without a grant to see it, it does not count. */
async function isWorktree(fs: ScopedFileSystem, path: string): Promise<boolean> {
  try {
    return (await fs.stat(`${path}/.git`))?.kind === 'file';
  } catch (error) {
    if (isToolError(error) && error.code === 'SCOPE_DENIED') return false;
    throw error;
  }
}

function filesBelow(fs: ScopedFileSystem, root: string): ScopedFileSystem {
  const place = (path: string): string => placeBelow(root, path);
  return {
    read: (path) => fs.read(place(path)),
    readText: (path) => fs.readText(place(path)),
    write: (path, content, options) => fs.write(place(path), content, options),
    list: (path) => fs.list(place(path)),
    stat: (path) => fs.stat(place(path)),
    remove: (path) => fs.remove(place(path)),
  };
}

/** An absolute path is passed on unchanged, and the host rejects it. */
function placeBelow(root: string, path: string): string {
  if (path.startsWith('/')) return path;
  return path === '.' ? root : `${root}/${path}`;
}
