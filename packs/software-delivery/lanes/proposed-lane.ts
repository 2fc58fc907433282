// A change of a lane for a person to apply in workspace.yaml. No tool can write that file, and a running kernel rejects a changed
// one. The change is validated as the kernel would.
import {ToolError} from '@lumenflow/pack-sdk';
import {codePathScope} from '../overlaps/code-path-pattern.ts';
import {specFolder} from '../work-units/spec-place.ts';
import type {PackConfig} from '../pack-config.ts';
import type {LaneView} from '../work-units/kernel-tasks.ts';

export interface LaneWords {
  readonly id: string;
  readonly title?: string;
  readonly wip_limit?: number;
  /** Globs of repository files that work in the lane may change. */
  readonly code_paths?: readonly string[];
}

export interface LaneEntry {
  readonly id: string;
  readonly title?: string;
  readonly wip_limit?: number;
  readonly allowed_scopes: LaneView['allowed_scopes'];
}

/** The entry under `lanes:` of a new or changed lane. Throws ToolErrors NOTHING_TO_CHANGE, OVER_LIMIT and those of `scopesOf`. */
export function proposedLane(lanes: readonly LaneView[], words: LaneWords, config: PackConfig): LaneEntry {
  const lane = lanes.find(({id}) => id === words.id);
  return lane === undefined ? newLane(words, config) : changedLane(lane, words, config);
}

function newLane({id, title, wip_limit: limit, code_paths: paths = ['**']}: LaneWords, config: PackConfig): LaneEntry {
  return {
    id,
    ...(title !== undefined && {title}),
    wip_limit: limit ?? 1,
    allowed_scopes: scopesOf(paths, config),
  };
}

function changedLane({in_progress: busy, ...lane}: LaneView, words: LaneWords, config: PackConfig): LaneEntry {
  const {title, wip_limit: limit, code_paths: paths} = words;
  if (title === undefined && limit === undefined && paths === undefined) {
    throw new ToolError('NOTHING_TO_CHANGE', 'pass `title`, `wip_limit` or `code_paths`');
  }
  if (limit !== undefined && limit < busy.length) {
    const message = `${busy.length} tasks are in progress in \`${lane.id}\`, which is more than the limit ${limit}`;
    throw new ToolError('OVER_LIMIT', message, {lane: lane.id, in_progress: busy});
  }
  return {
    ...lane,
    ...(title !== undefined && {title}),
    ...(limit !== undefined && {wip_limit: limit}),
    ...(paths && {allowed_scopes: scopesOf(paths, config)}),
  };
}

/** The scopes that work units of the lane need. Throws ToolErrors INVALID_CODE_PATH and INVALID_GLOB. */
function scopesOf(paths: readonly string[], config: PackConfig): LaneView['allowed_scopes'] {
  const patterns = paths.map(codePathScope);
  const scope = (pattern: string, access: 'read' | 'write'): LaneView['allowed_scopes'][number] => ({
    type: 'path',
    pattern,
    access,
  });
  return [
    scope('**', 'read'),
    ...patterns.map((pattern) => scope(`worktrees/*/${pattern}`, 'write')),
    // For git's own files, and for specs.
    scope('.git/**', 'write'),
    scope(`${specFolder(config)}/**`, 'write'),
  ];
}
