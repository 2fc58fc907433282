// The live reload of a host: a change of a pack's files reloads it, and whoever started the host hears what came of it.
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

/** The host's own failure, not the pack's: the next change tries again. */
function failed(error: unknown): PackReload {
  const message = `the packs cannot be watched and loaded anew: ${error instanceof Error ? error.message : String(error)}`;
  return {
    status: 'failed',
    problems: [{code: 'PACK_RELOAD_FAILED', severity: 'error', message, where: 'workspace.yaml'}],
  };
}
