// Answers ctx.state requests: each pack's documents are in a separate folder, and one lock of the workspace serializes changes.
import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import type {RegisteredTool} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {WorkspaceLock} from '@lumenflow/kernel/node';
import {ToolError} from '@lumenflow/pack-sdk';
import {childPath, inDirectory} from '@lumenflow/sandbox';
import type {PackManifest} from '@lumenflow/schemas';
import {StateFolder, type Change} from './state-folder.ts';
import {stateSegments} from './state-place.ts';

type Params = Readonly<Record<string, unknown>>;

export interface PackStates {
  /** Answers one request of a tool's handler; undefined for a method that is not about state. Rejects with ToolError. */
  answer(tool: RegisteredTool, method: string, params: Params): Promise<unknown> | undefined;
  close(): void;
}

export interface PackStatesOptions {
  /** Absolute, without symlinks. */
  readonly workspaceRoot: string;
  /** Identifies this host to the others of the workspace. */
  readonly processes: ProcessRegistry;
}

export function createPackStates({workspaceRoot, processes}: PackStatesOptions): PackStates {
  // Most hosts never write state, so the lock is created on the first write.
  let lock: WorkspaceLock | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const folders = new Map<string, StateFolder>();

  async function exclusively<T>(change: () => Promise<T>): Promise<T> {
    lock ??= new WorkspaceLock({folder: join(workspaceRoot, '.lumenflow', 'packs', 'lock'), processes});
    const entered = lock;
    await entered.enter();
    // The lock excludes other processes; within this process, changes run in sequence.
    const done = last.then(change);
    last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      entered.leave();
    }
  }

  function folderOf(manifest: PackManifest): StateFolder {
    const segments = stateSegments(manifest);
    const key = segments.join('/');
    const known = folders.get(key);
    if (known) return known;
    const folder = new StateFolder({
      workspaceRoot,
      segments,
      exclusively: async (change) =>
        await exclusively(async () => {
          if (manifest.state_folder !== undefined) await keepFromGit(workspaceRoot, segments);
          return await change();
        }),
    });
    folders.set(key, folder);
    return folder;
  }

  return {
    answer(tool, method, params) {
      const operation = operations[method];
      if (operation === undefined) return undefined;
      return operate(async () => {
        if (operation.changes && tool.declaration.permission === 'read') throw changesNothing(tool.name);
        return await operation.run(folderOf(tool.pack.manifest), params);
      });
    },
    close: () => lock?.close(),
  };
}

interface Operation {
  readonly changes: boolean;
  run(folder: StateFolder, params: Params): Promise<unknown>;
}

const operations: Readonly<Record<string, Operation>> = {
  state_read: {changes: false, run: async (folder, params) => await folder.read(text(params, 'name'))},
  state_lines: {
    changes: false,
    run: async (folder, params) => await folder.lines(text(params, 'name'), offset(params)),
  },
  state_names: {changes: false, run: async (folder, params) => await folder.names(text(params, 'prefix'))},
  state_write: {
    changes: true,
    run: async (folder, params) => await folder.write(changeOf(params), text(params, 'text')),
  },
  state_append: {
    changes: true,
    run: async (folder, params) => await folder.append(changeOf(params), lines(params)),
  },
  state_remove: {changes: true, run: async (folder, params) => await folder.remove(changeOf(params))},
};

function changeOf(params: Params): Change {
  const name = text(params, 'name');
  const {expect} = params;
  if (expect === undefined) return {name};
  if (expect === null || typeof expect === 'string') return {name, expect};
  throw invalid('`expect` must be a version or null');
}

function text(params: Params, key: string): string {
  const value = params[key];
  if (typeof value === 'string') return value;
  throw invalid(`\`${key}\` must be a string`);
}

function lines(params: Params): readonly string[] {
  const {lines: value} = params;
  if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return value;
  throw invalid('`lines` must be strings');
}

function offset(params: Params): number {
  const {from} = params;
  if (Number.isSafeInteger(from) && (from as number) >= 0) return from as number;
  throw invalid('`from` must be a size that was given before');
}

function invalid(message: string): ToolError {
  return new ToolError('INVALID_INPUT', message);
}

function changesNothing(tool: string): ToolError {
  return new ToolError(
    'SCOPE_DENIED',
    `\`${tool}\` has permission \`read\`, so it cannot change the state of its pack`,
  );
}

/** Maps a system error to a code that handlers can distinguish. */
async function operate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
    throw new ToolError('STATE_UNAVAILABLE', `the pack's state cannot be kept (${code}): ${String(error)}`, {
      cause: code,
    });
  }
}

/** A state folder in the workspace belongs to this machine, not to the repository. */
async function keepFromGit(root: string, segments: readonly string[]): Promise<void> {
  await inDirectory({root, segments, make: true}, async (directory) => {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const handle = await open(childPath(directory, '.gitignore'), flags, 0o644).catch(unlessExists);
    await handle?.writeFile('*\n');
    await handle?.close();
  });
}

function unlessExists(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error;
}
