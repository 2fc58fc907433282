// Reloading for embedders: one at a time, with a notification of what changed.
import type {Kernel} from '../context/kernel.ts';
import {notifyListener} from './notify-listener.ts';
import type {LiveKernel} from './live-kernel.ts';
import {reloadPacks, type PackReload, type PackReloader, type ToolsChanged} from './reload-packs.ts';

export interface PackReloads {
  /**
   * Reloads the packs that are pinned as `dev`. Calls in flight end on their first version; later calls use the new one. A pack with
   * errors changes nothing. workspace.yaml is not read again.
   */
  reload(): Promise<PackReload>;
  /** Calls the listener for each reload that changed something. Returns the function that ends the subscription. */
  subscribe(listener: (change: ToolsChanged) => void): () => void;
}

export interface PackReloadsParts {
  readonly live: LiveKernel;
  readonly reloader?: PackReloader | undefined;
  /** Counts the work as in flight; throws when the runtime is closed. */
  run<T>(work: (kernel: Kernel) => Promise<T>): Promise<T>;
}

export function createPackReloads({live, reloader, run}: PackReloadsParts): PackReloads {
  const listeners = new Set<(change: ToolsChanged) => void>();
  let last: Promise<unknown> = Promise.resolve();

  async function reloadNow(): Promise<PackReload> {
    if (!reloader) return {status: 'unchanged', problems: []};
    const {reload, workspace} = await reloadPacks(live.current.workspace, reloader);
    if (workspace) live.swap(workspace);
    if (reload.status === 'changed') for (const listener of listeners) notifyListener(listener, reload.change);
    return reload;
  }

  return {
    reload() {
      // Each builds on what the one before has left.
      const before = last;
      const next = run(async () => {
        await before;
        return await reloadNow();
      });
      last = next.catch(() => undefined);
      return next;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
