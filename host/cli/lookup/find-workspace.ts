// Finds the workspace for a command: the named folder, or the nearest parent with a workspace.yaml.
import {existsSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import type {CliContext} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {checkIsFolder} from './check-is-folder.ts';
import {quoted} from '../rendering/quoted.ts';

/** Whether a workspace is found without a name. */
export function hasWorkspace(cwd: string): boolean {
  return nearest(cwd) !== undefined;
}

function nearest(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'workspace.yaml'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Absolute. Throws CliError WORKSPACE_NOT_FOUND. */
export function findWorkspace({cwd, workspace}: Pick<CliContext, 'cwd' | 'workspace'>): string {
  const start = resolve(cwd, workspace ?? '.');
  const isThere = workspace !== undefined && existsSync(join(start, 'workspace.yaml'));
  const found = workspace === undefined ? nearest(start) : isThere ? start : undefined;
  if (found !== undefined) return found;
  checkIsFolder(start);
  const place = workspace === undefined ? `in \`${start}\` or above it` : `in \`${start}\``;
  throw new CliError('WORKSPACE_NOT_FOUND', `there is no workspace.yaml ${place}`, {
    help:
      workspace === undefined
        ? 'run `lumenflow init` to create a workspace here, or name one with `--workspace DIR`'
        : `run \`lumenflow init ${quoted(workspace)}\` to create a workspace there`,
    details: {folder: start},
  });
}
