// Loads a workspace and its packs as a start does, without a kernel: it touches no state, so it also works where no host can start.
import {failed, ok, type Outcome, type Problem} from '@lumenflow/kernel';
import {
  compileWorkspace,
  unmetTiers,
  type WorkspaceCompilation,
  type WorkspaceCompilerPorts,
  type WorkspaceSource,
} from '@lumenflow/kernel/adapters';
import {compileRegex, createSchemaCompiler, packRequestOf, readWorkspace} from '@lumenflow/kernel/node';
import {createSandbox} from '@lumenflow/sandbox';
import {realpathSync} from 'node:fs';
import {createHostPackSource} from '../compose.ts';
import {backendChoice} from '../dispatch/backend-choice.ts';
import {trackedOverlays} from '../workspace-checks/tracked-overlays.ts';

export interface LoadRequest {
  /** The folder that contains workspace.yaml. */
  readonly workspaceRoot: string;
  /** The environment for PATH, NODE_ENV and what packs read; default empty. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface LoadedWorkspace extends WorkspaceCompilation {
  readonly source: WorkspaceSource;
  readonly ports: WorkspaceCompilerPorts;
  /** All that a start reports. */
  readonly problems: readonly Problem[];
}

/** Calls `use` with the workspace, or with the problems that prevent reading workspace.yaml. Functions of packs end after it. */
export async function withLoadedWorkspace<T>(
  {workspaceRoot, env = {}}: LoadRequest,
  use: (loaded: Outcome<LoadedWorkspace, readonly Problem[]>) => T | Promise<T>,
): Promise<T> {
  const root = realpathSync(workspaceRoot);
  const read = await readWorkspace({root, env});
  if (!read.ok) return await use(failed(read.problem));
  const ports = {
    compileRegex,
    monotonic: () => performance.now(),
    compileSchema: createSchemaCompiler().compileLater,
  };
  const packs = createHostPackSource({workspaceRoot: root, env});
  try {
    const loaded = await packs.load(packRequestOf(read.value));
    const source = {...read.value, packs: loaded.packs};
    const {workspace, problems} = compileWorkspace(source, ports);
    const tracked = await trackedOverlays({
      workspaceRoot: root,
      holes: workspace.holes,
      searchPath: env['PATH'] ?? '',
    });
    const sandbox = createSandbox({searchPath: env['PATH'] ?? '', workspaceRoot: root});
    const unmet = unmetTiers(source, {unmetTier: (choice) => sandbox.unmetTier(backendChoice(choice))});
    await sandbox.close();
    const all = [...read.value.problems, ...loaded.problems, ...problems, ...unmet, ...tracked];
    return await use(ok({source, ports, workspace, problems: all}));
  } finally {
    packs.close();
  }
}
