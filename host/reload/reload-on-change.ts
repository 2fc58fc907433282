// Live reload: a change in a pack's files reloads the pack and reports the result to the host's starter.
import type {KernelRuntime, PackReload} from '@lumenflow/kernel';
import {watchPacks, type PackWatch} from './watch-packs.ts';

/** Watches the packs that are pinned as `dev`. */
export function reloadOnChange(
  {workspace, packs}: Pick<KernelRuntime, 'workspace' | 'packs'>,
  onReload: (reload: PackReload) => void,
): PackWatch {
  const paths = [...workspace.packs.values()].filter(({pin}) => pin.integrity === 'dev').map(({root}) => root);
  return watchPacks({
    paths,
    onChange: async () => onReload(await packs.reload().catch(failed)),
    onError: (error) => onReload(failed(error)),
  });
}

/** The host itself failed, not the pack: the next change tries again. */
function failed(error: unknown): PackReload {
  const message = `the packs cannot be watched and reloaded: ${error instanceof Error ? error.message : String(error)}`;
  return {
    status: 'failed',
    problems: [{code: 'PACK_RELOAD_FAILED', severity: 'error', message, where: 'workspace.yaml'}],
  };
}
