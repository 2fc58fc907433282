// Loads packs that are being written once more: what is wrong keeps the version that runs, what is the same changes nothing.
import type {LoadedPack} from '../packs/loaded-pack.ts';
import type {Problem} from '../problem.ts';
import type {WorkspaceCompilation} from '../workspace/compile-workspace.ts';
import type {CompiledWorkspace} from '../workspace/compiled-workspace.ts';

export interface ReloadedPack {
  readonly id: string;
  readonly version: string;
  /** `sha256:<hex>` of the files that are loaded now; evidence of calls names it. */
  readonly integrity: string;
  readonly previous_integrity: string;
}

/** Called when the tools of a running host, or their rules, have changed. */
export interface ToolsChanged {
  readonly type: 'tools_changed';
  readonly packs: readonly ReloadedPack[];
}

export type PackReload =
  | {readonly status: 'changed'; readonly change: ToolsChanged; readonly problems: readonly Problem[]}
  | {readonly status: 'unchanged'; readonly problems: readonly Problem[]}
  /** `problems` has errors; the packs that were loaded before stay. */
  | {readonly status: 'failed'; readonly problems: readonly Problem[]};

/** How a workspace's packs are loaded and compiled once more. */
export interface PackReloader {
  load(
    standing: readonly LoadedPack[],
  ): Promise<{readonly packs: readonly LoadedPack[]; readonly problems: readonly Problem[]}>;
  compile(packs: readonly LoadedPack[]): WorkspaceCompilation;
  /** Called for a pack that is not used, or not used any more. */
  release(pack: LoadedPack): void;
}

/** Returns the new workspace if the status is `changed`. */
export async function reloadPacks(
  running: CompiledWorkspace,
  reloader: PackReloader,
): Promise<{readonly reload: PackReload; readonly workspace?: CompiledWorkspace}> {
  const before = [...running.packs.values()];
  const loaded = await reloader.load(before.filter(({pin}) => pin.integrity !== 'dev'));
  const changed = loaded.packs.filter((pack) => !before.some((old) => isSame(old, pack)));
  const discard = (packs: readonly LoadedPack[]): void => {
    for (const pack of packs) if (!before.includes(pack)) reloader.release(pack);
  };
  const errorsOf = (problems: readonly Problem[]): boolean => problems.some(({severity}) => severity === 'error');
  if (errorsOf(loaded.problems)) {
    discard(loaded.packs);
    return {reload: {status: 'failed', problems: loaded.problems}};
  }
  discard(loaded.packs.filter((pack) => !changed.includes(pack)));
  if (changed.length === 0) return {reload: {status: 'unchanged', problems: loaded.problems}};
  const {workspace, problems} = reloader.compile(
    loaded.packs.map((pack) => before.find((old) => isSame(old, pack)) ?? pack),
  );
  if (errorsOf(problems)) {
    discard(changed);
    return {reload: {status: 'failed', problems}};
  }
  const packs = changed.map((pack) => describeChange(pack, running));
  const all = [...loaded.problems, ...problems];
  return {reload: {status: 'changed', change: {type: 'tools_changed', packs}, problems: all}, workspace};
}

/** The same files, so the same tools and rules: a pin and a config change only with workspace.yaml. */
function isSame(old: LoadedPack, pack: LoadedPack): boolean {
  return old.manifest.id === pack.manifest.id && old.integrity === pack.integrity;
}

function describeChange({manifest, integrity}: LoadedPack, running: CompiledWorkspace): ReloadedPack {
  const {id, version} = manifest;
  return {id, version, integrity, previous_integrity: running.packs.get(id)?.integrity ?? ''};
}
