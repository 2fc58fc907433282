// What a WU asks for, from its spec's file: in its worktree when it is being worked on, else in the workspace.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {parse} from 'yaml';
import type {PackConfig} from '../pack-config.ts';
import {specPath} from '../work-units/spec-place.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';

/** A spec that cannot be read gives one line that says so: whoever takes over is to know it. */
export async function readAcceptance(
  {fs, config}: Pick<ToolContext<PackConfig>, 'fs' | 'config'>,
  {spec: {id}, worktree}: WorkUnit,
): Promise<readonly string[]> {
  const path = specPath(config, id);
  const inWorktree = `${worktree ?? '.'}/${path}`;
  try {
    const file = worktree !== undefined && (await fs.stat(inWorktree)) !== undefined ? inWorktree : path;
    const {acceptance} = (parse(await fs.readText(file)) ?? {}) as {readonly acceptance?: unknown};
    return Array.isArray(acceptance) ? acceptance.map(String) : [`\`${file}\` names no acceptance`];
  } catch (error) {
    const reason = isToolError(error) || error instanceof Error ? error.message : String(error);
    return [`\`${path}\` cannot be read: ${reason}`];
  }
}
