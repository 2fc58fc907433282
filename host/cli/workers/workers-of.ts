// The workers that workspace.yaml names.
import type {RemoteWorker} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {parse} from 'yaml';
import type {CliContext} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';

interface WorkspacePart {
  readonly security?: {
    readonly sandbox?: {readonly backends?: {readonly remote?: {readonly workers?: RemoteWorker[]}}};
  };
}

export async function workersOf(context: CliContext): Promise<readonly RemoteWorker[]> {
  const text = await readFile(join(findWorkspace(context), 'workspace.yaml'), 'utf8');
  return (parse(text) as WorkspacePart | null)?.security?.sandbox?.backends?.remote?.workers ?? [];
}
