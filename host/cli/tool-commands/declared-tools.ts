// What the tools of a workspace declare, read from their manifests: quick, since nothing is built, hashed or started.
import {readWorkspace} from '@lumenflow/kernel/node';
import type {ToolDeclaration} from '@lumenflow/schemas';
import {realpathSync} from 'node:fs';
import {join} from 'node:path';
import {readLock} from '../../packs/lock/packs-lock.ts';
import {pinOfFolder} from '../../packs/pin-of-folder.ts';
import {resolvePack} from '../../packs/resolve-pack.ts';
import type {CliContext} from '../command.ts';
import {findWorkspace} from '../find-workspace.ts';

/** Those that can be called from outside, in order of name; a pack that cannot be read has none. Throws CliError WORKSPACE_NOT_FOUND. */
export async function declaredTools(context: CliContext): Promise<readonly ToolDeclaration[]> {
  const workspaceRoot = realpathSync(findWorkspace(context));
  const workspace = await readWorkspace({root: workspaceRoot, env: context.env});
  if (!('spec' in workspace)) return [];
  const lock = await readLock(workspaceRoot);
  const cacheFolder = join(workspaceRoot, '.lumenflow', 'cache');
  const resolver = {workspaceRoot, lock, cacheFolder};
  const packs = await Promise.all(
    workspace.spec.packs.map(async (pin) => {
      const resolved = await resolvePack(pin, resolver);
      const found = 'root' in resolved ? await pinOfFolder(resolved.root, '.', cacheFolder) : undefined;
      return found && 'manifest' in found ? found.manifest.tools : [];
    }),
  );
  return callable(packs.flat());
}

/** Those that can be called from outside, in order of name. */
export function callable<T extends Pick<ToolDeclaration, 'name' | 'internal_only'>>(tools: readonly T[]): readonly T[] {
  return tools.filter((tool) => tool.internal_only !== true).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
