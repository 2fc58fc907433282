// The workspace for a pack in development: the one that pins the pack's folder as `dev`, else a temporary one that allows
// everything.
import {ok, type Outcome, type Problem} from '@lumenflow/kernel';
import {readWorkspace} from '@lumenflow/kernel/node';
import {existsSync, realpathSync} from 'node:fs';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {scratchWorkspaceText} from '../../authoring/scratch-workspace.ts';
import {pinOfFolder} from '../../packs/manifest/pin-of-folder.ts';
import type {CliContext} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';

export interface DevWorkspace {
  readonly root: string;
  readonly isTemporary: boolean;
  /** The current text of workspace.yaml, or the problems of a manifest that a temporary workspace cannot pin. */
  text(): Promise<Outcome<string, readonly Problem[]>>;
  remove(): Promise<void>;
}

/** `folder` is the folder of the pack, absolute and without symlinks. Throws CliError if a named workspace does not exist. */
export async function openDevWorkspace(context: CliContext, folder: string): Promise<DevWorkspace> {
  const root = context.workspace === undefined ? nearestWorkspace(folder) : findWorkspace(context);
  if (root !== undefined && (context.workspace !== undefined || (await pinsFolder(root, folder, context.env)))) {
    return {
      root,
      isTemporary: false,
      text: async () => ok(await readFile(join(root, 'workspace.yaml'), 'utf8').catch(() => '')),
      remove: async () => undefined,
    };
  }
  return await makeTemporary(folder);
}

function nearestWorkspace(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'workspace.yaml'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** A workspace.yaml in the pack's own folder is for this pack, even if it cannot be read. */
async function pinsFolder(root: string, folder: string, env: CliContext['env']): Promise<boolean> {
  const workspace = await readWorkspace({root, env});
  if (!workspace.ok) return root === folder;
  return workspace.value.spec.packs.some(({source, integrity, path = '.'}) => {
    const pinned = resolve(root, path);
    return source === 'local' && integrity === 'dev' && existsSync(pinned) && realpathSync(pinned) === folder;
  });
}

async function makeTemporary(folder: string): Promise<DevWorkspace> {
  const root = realpathSync(await mkdtemp(join(tmpdir(), 'lumenflow-dev-')));
  return {
    root,
    isTemporary: true,
    async text() {
      const found = await pinOfFolder(folder, folder);
      if (!found.ok) return found;
      const text = scratchWorkspaceText(found.value);
      const file = join(root, 'workspace.yaml');
      if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text);
      return ok(text);
    },
    remove: async () => await rm(root, {recursive: true, force: true}),
  };
}
