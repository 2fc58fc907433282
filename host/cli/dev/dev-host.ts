// A host on the workspace of a pack in development. It reloads packs, and restarts if workspace.yaml changed or nothing runs yet.
import type {Problem} from '@lumenflow/kernel';
import {startHost, type Host} from '../../compose.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {placesFrom} from '../rendering/places-from.ts';
import type {DevWorkspace} from './dev-workspace.ts';
import {createManifestUpdater} from './manifest-updater.ts';

export interface Refreshed {
  readonly status: 'loaded' | 'unchanged' | 'failed';
  readonly problems: readonly Problem[];
  /** The tools whose generated entries in the manifest were written. */
  readonly written?: readonly string[];
}

export interface DevHost {
  /** Undefined until the workspace was loaded once. */
  current(): Host | undefined;
  refresh(): Promise<Refreshed>;
  close(): Promise<void>;
}

export interface DevHostOptions {
  /** The folder of the pack: absolute, without symlinks. */
  readonly folder: string;
  readonly workspace: DevWorkspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inspectPort: number | undefined;
}

export function createDevHost({folder, workspace, env, inspectPort}: DevHostOptions): DevHost {
  const updateManifest = createManifestUpdater(folder);
  let host: Host | undefined;
  let loadedText: string | undefined;

  async function start(text: string): Promise<Refreshed> {
    const warnings: Problem[] = [];
    const onWarning = (problem: Problem): unknown => warnings.push(problem);
    try {
      const next = await startHost({workspaceRoot: workspace.root, env, threads: 1, inspectPort, onWarning});
      await host?.close();
      host = next;
      loadedText = text;
      return {status: 'loaded', problems: warnings};
    } catch (error) {
      const {problems} = failureFromError(error);
      if (problems.length === 0) throw error;
      return {status: 'failed', problems};
    }
  }

  async function load(): Promise<Refreshed> {
    const text = await workspace.text();
    if (!text.ok) return {status: 'failed', problems: text.problem};
    if (host === undefined || text.value !== loadedText) return await start(text.value);
    const {status, problems} = await host.runtime.packs.reload();
    return {status: status === 'changed' ? 'loaded' : status, problems};
  }

  return {
    current: () => host,
    async refresh() {
      const {written, problems} = await updateManifest();
      if (problems.length > 0) return {status: 'failed', problems: placesFrom(workspace.root, folder, problems)};
      return {...(await load()), written};
    },
    close: async () => await host?.close(),
  };
}
