// Opens the pins of the workspace with the lock and a source for the packs. Unlike a host, it works with missing or rejected
// packs.
import type {PackRequest} from '@lumenflow/kernel';
import {parsePattern} from '@lumenflow/kernel/adapters';
import {packRequestOf, readWorkspace} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {realpathSync} from 'node:fs';
import {createHostPackSource} from '../../compose.ts';
import type {HostPackSource} from '../../packs/pack-source.ts';
import {readLock, type ReadLock} from '../../packs/lock/packs-lock.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {findWorkspace} from './find-workspace.ts';

export interface OpenPacks {
  /** Absolute, symlinks resolved. */
  readonly workspaceRoot: string;
  /** For all packs. */
  readonly request: PackRequest;
  readonly lock: ReadLock;
  /** Patterns that every sandbox hides. */
  readonly denyOverlays: readonly string[];
  readonly source: HostPackSource;
}

/** Throws CliError LOAD_FAILED when workspace.yaml or packs.lock cannot be read. */
export async function openPacks(context: CliContext): Promise<OpenPacks> {
  const workspaceRoot = realpathSync(findWorkspace(context));
  const read = await readWorkspace({root: workspaceRoot, env: context.env});
  const lock = await readLock(workspaceRoot);
  const found = read.ok ? read.value.problems : read.problem;
  const problems = [...found.filter(({severity}) => severity === 'error'), ...lock.problems];
  if (!read.ok || problems.length > 0) {
    const files = lock.problems.length > 0 ? 'the workspace and its packs.lock' : 'workspace.yaml';
    throw new CliError('LOAD_FAILED', `${files} cannot be read`, {problems});
  }
  return {
    workspaceRoot,
    lock,
    request: packRequestOf(read.value),
    denyOverlays: (read.value.spec.security.deny_overlays ?? []).flatMap(patternsOf),
    source: createHostPackSource({workspaceRoot}),
  };
}

/** Expands the braces of a pattern. An unreadable pattern hides everything. */
function patternsOf(overlay: string): readonly string[] {
  const parsed = parsePattern(overlay);
  return parsed.ok ? parsed.value.map(({text}) => text) : ['**'];
}

/** Returns the pin with the id. Throws CliError PACK_NOT_FOUND. */
export function pinIn({request, workspaceRoot}: OpenPacks, id: string): PackPin {
  const pin = request.pins.find((candidate) => candidate.id === id);
  if (pin) return pin;
  const known = request.pins.map((candidate) => candidate.id).join(', ') || 'none';
  throw new CliError('PACK_NOT_FOUND', `no pack \`${id}\` is pinned in \`${workspaceRoot}\``, {
    help: `pinned are ${known}`,
    exitCode: exitCode.usage,
  });
}

/** Restricts a request to some pins, which keep their positions in workspace.yaml. */
export function requestFor({request}: OpenPacks, pins: readonly PackPin[]): PackRequest {
  return {
    ...request,
    pins,
    locate: (pointer) =>
      request.locate(
        pointer.replace(/^\/packs\/(\d+)/u, (_, index: string) => {
          const pin = pins[Number(index)];
          return `/packs/${pin === undefined ? index : request.pins.indexOf(pin)}`;
        }),
      ),
  };
}
