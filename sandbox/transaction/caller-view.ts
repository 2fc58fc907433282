// The view of a call as its nested calls use it: they start from what it wrote, and their changes are merged into it.
import {join} from 'node:path';
import {SandboxError} from '../sandbox-error.ts';
import {lookAtOnce} from './entry.ts';
import {oneAtATime} from './one-at-a-time.ts';
import type {WorkspaceView} from './workspace-view.ts';

export interface CallerView {
  readonly view: WorkspaceView;
  /** No merge happens while it runs. Rejects once the caller has ended. */
  copy<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `merge` if `check` agrees, one at a time. The paths, which the nested call's grant allowed, are then allowed in the
   * caller's changes. Rejects once the caller has ended. If `merge` rejects, nothing that the caller wrote can be applied.
   */
  merge(paths: readonly string[], check: () => Promise<boolean>, merge: () => Promise<void>): Promise<void>;
}

export interface OwnCallerView extends CallerView {
  /** Waits for running merges; rejects all others from now on. */
  end(): Promise<void>;
  /** Paths that have not changed since nested calls wrote them. */
  merged(): ReadonlySet<string>;
  /** Why the view differs from what its calls wrote. */
  broken(): string | undefined;
}

const endedText = 'the caller of this call has ended';

/** No program can set the time of an entry's last change. That of a directory changes with its contents. */
function markOf(path: string): string | undefined {
  try {
    const entry = lookAtOnce(path);
    if (entry === undefined) return 'gone';
    const {kind, mode, ino, ctimeNs} = entry;
    return kind === 'directory' ? `directory:${mode}` : `${ino}:${ctimeNs}`;
  } catch (error) {
    // A call may lock a directory even against this user.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}

export function createCallerView(view: WorkspaceView): OwnCallerView {
  const merged = new Map<string, string | undefined>();
  const markAt = (path: string): string | undefined => markOf(join(view.door, path));
  const exclusively = oneAtATime();
  let hasEnded = false;
  let broken: string | undefined;
  return {
    view,
    copy: async (work) =>
      await exclusively(async () => {
        if (hasEnded) throw new SandboxError('NOT_APPLIED', endedText);
        return await work();
      }),
    async merge(paths, check, merge) {
      await exclusively(async () => {
        if (hasEnded) throw new SandboxError('NOT_APPLIED', endedText);
        if (!(await check())) return;
        try {
          await merge();
          for (const path of paths) merged.set(path, markAt(path));
        } catch (error) {
          broken = String(error);
          throw error;
        }
      });
    },
    async end() {
      hasEnded = true;
      await exclusively(async () => undefined);
    },
    merged: () =>
      new Set([...merged].filter(([path, mark]) => mark !== undefined && markAt(path) === mark).map(([path]) => path)),
    broken: () => broken,
  };
}
