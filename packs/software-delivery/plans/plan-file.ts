// The location of plans, and reading a plan for a change.
import {ToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import {expectContent, findFile} from '../files/current-file.ts';

export interface PlanFile {
  readonly path: string;
  readonly text: string;
  readonly sha256: string;
}

export const planFolder = 'docs/plans';

export function planPath(id: string): string {
  return `${planFolder}/${id}.md`;
}

/** Letters, digits and dashes of the title, at most 60; empty if there are none. */
export function slugOf(title: string): string {
  const folded = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  return folded
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/gu, '');
}

/** Throws ToolError PLAN_NOT_FOUND, and CONTENT_CHANGED if the file differs from the caller's expectation. */
export async function readPlanFile(fs: ScopedFileSystem, id: string, expectSha256?: string): Promise<PlanFile> {
  const path = planPath(id);
  const file = await findFile(fs, path);
  if (file === undefined) {
    throw new ToolError('PLAN_NOT_FOUND', `there is no plan \`${path}\`: create one with \`plan:create\``, {id, path});
  }
  expectContent(path, file.sha256, expectSha256);
  return {path, text: new TextDecoder().decode(file.bytes), sha256: file.sha256};
}
