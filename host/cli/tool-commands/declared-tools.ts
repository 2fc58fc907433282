// Reads the tools of a workspace from their manifests. This is fast, because nothing is built, hashed or started.
import {readWorkspace} from '@lumenflow/kernel/node';
import type {ToolDeclaration} from '@lumenflow/schemas';
import {existsSync, realpathSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readProgramTool} from '../../packs/program-tools.ts';
import {embedReferences} from '../../packs/schemas/embed-references.ts';
import {readLock} from '../../packs/lock/packs-lock.ts';
import {PackFileError, type PackFiles} from '../../packs/files/pack-files.ts';
import {pinOfFolder} from '../../packs/manifest/pin-of-folder.ts';
import {resolvePack} from '../../packs/resolve-pack.ts';
import {withSchemas} from '../../packs/with-schemas.ts';
import type {CliContext} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';

/** Returns public tools, sorted by name. Skips a pack that cannot be read. Throws CliError WORKSPACE_NOT_FOUND. */
export async function declaredTools(context: CliContext): Promise<readonly ToolDeclaration[]> {
  const workspaceRoot = realpathSync(findWorkspace(context));
  const workspace = await readWorkspace({root: workspaceRoot, env: context.env});
  if (!workspace.ok) return [];
  const lock = await readLock(workspaceRoot);
  const cacheFolder = join(workspaceRoot, '.lumenflow', 'cache');
  const resolver = {workspaceRoot, lock, cacheFolder};
  const packs = await Promise.all(
    workspace.value.spec.packs.map(async (pin) => {
      const resolved = await resolvePack(pin, resolver);
      if (!resolved.ok) return [];
      const {root} = resolved.value;
      const found = await pinOfFolder(root, '.', cacheFolder);
      if (!found.ok) return [];
      const files = filesIn(root);
      return await Promise.all(found.value.manifest.tools.map(async (tool) => await withWholeInput(tool, files)));
    }),
  );
  return callable(packs.flat());
}

/** Resolves the schema for the flags. A schema whose file cannot be used stays unchanged. */
async function withWholeInput(
  declared: ToolDeclaration,
  files: Pick<PackFiles, 'has' | 'read'>,
): Promise<ToolDeclaration> {
  const program = await readProgramTool({declared: files, display: (path) => path}, declared);
  const tool = program?.declaration ?? declared;
  if (tool.input_schema === undefined) return tool;
  try {
    return withSchemas(tool, {input: await embedReferences(tool.input_schema, 'manifest.yaml', files)});
  } catch (error) {
    if (!(error instanceof PackFileError)) throw error;
    return tool;
  }
}

function filesIn(root: string): Pick<PackFiles, 'has' | 'read'> {
  return {
    has: (path) => existsSync(join(root, path)),
    read: async (path) => {
      try {
        return await readFile(join(root, path));
      } catch (error) {
        throw new PackFileError(path, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

/** Returns public tools, sorted by name. */
export function callable<T extends Pick<ToolDeclaration, 'name' | 'internal_only'>>(tools: readonly T[]): readonly T[] {
  return tools.filter((tool) => tool.internal_only !== true).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
