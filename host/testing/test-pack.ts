// Starts a real host on a temporary workspace that pins one pack. Its tests call tools like any client: decided by policy,
// limited by the sandbox, recorded as evidence.
import {KernelError, type Problem} from '@lumenflow/kernel';
import type {LaneSpec, PackManifest, PackPin, ToolOutput} from '@lumenflow/schemas';
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {scratchWorkspaceText} from '../authoring/scratch-workspace.ts';
import {startHost, type Host} from '../compose.ts';
import {pinOfFolder, type PinOfFolder} from '../packs/manifest/pin-of-folder.ts';
import type {CallOptions, Session} from '../sessions/open-session.ts';

export interface TestPackOptions {
  /** The pack's config, as the value of its `config_key`. */
  readonly config?: unknown;
  /** Files of the workspace, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Changes to the lane `main`, which allows all paths and the whole network by default. */
  readonly lane?: Partial<LaneSpec>;
  /** The host's environment in addition to PATH. A tool receives its `required_env`. */
  readonly env?: Readonly<Record<string, string>>;
  /** `in_process` runs handlers that request it on the thread pool; default `sandboxed`. */
  readonly trust?: PackPin['trust'];
  /** Folders of other packs, whose tools the pack calls. */
  readonly packs?: readonly string[];
}

export interface TestedPack {
  readonly host: Host;
  /** The session that `call` uses. */
  readonly session: Session;
  readonly manifest: PackManifest;
  /** The workspace; absolute, without symlinks. */
  readonly root: string;
  call(tool: string, input: unknown, options?: CallOptions): Promise<ToolOutput>;
  /** Closes the host and removes the workspace. */
  close(): Promise<void>;
}

/** Throws KernelError LOAD_FAILED with every problem of the pack, or if no session can be opened. */
export async function testPack(folder: string, options: TestPackOptions = {}): Promise<TestedPack> {
  const pack = await realpath(resolve(folder));
  const root = await realpath(await mkdtemp(join(tmpdir(), 'lumenflow-test-')));
  let host: Host | undefined;
  const close = async (): Promise<void> => {
    await host?.close();
    await rm(root, {recursive: true, force: true});
  };
  try {
    const found = await foundPack(pack, root);
    const beside = await Promise.all(
      (options.packs ?? []).map(async (each) => await foundPack(await realpath(each), root)),
    );
    const scratch = {...found, ...options, pinsBeside: beside.map(({pin}) => pin)};
    await writeFiles(root, {...options.files, 'workspace.yaml': scratchWorkspaceText(scratch)});
    host = await startHost({
      workspaceRoot: root,
      env: {PATH: process.env['PATH'], ...options.env},
      threads: 1,
    });
    const session = await host.openSession({by: 'test'});
    if (!session.success) throw new KernelError('LOAD_FAILED', `no session can be opened: ${session.error.message}`);
    return {host, session, manifest: found.manifest, root, call: session.call, close};
  } catch (error) {
    await close();
    throw error;
  }
}

async function foundPack(folder: string, root: string): Promise<PinOfFolder> {
  const found = await pinOfFolder(folder, folder, join(root, '.lumenflow', 'cache'));
  if (!found.ok) throw loadFailed(folder, found.problem);
  return found.value;
}

/** Throws TypeError for a path that leads out of the folder. */
export async function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    if (!file.startsWith(`${root}/`)) throw new TypeError(`\`${path}\` is not a path below the workspace`);
    await mkdir(dirname(file), {recursive: true});
    await writeFile(file, content);
  }
}

function loadFailed(pack: string, problems: readonly Problem[]): KernelError {
  const lines = problems.map(({where, code, message}) => `${where} ${code} ${message}`);
  return new KernelError('LOAD_FAILED', [`the pack \`${pack}\` cannot be loaded`, ...lines].join('\n'), {problems});
}
