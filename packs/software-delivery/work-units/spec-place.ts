// Paths of a work unit's spec and branch, by the pack's config.
import type {PackConfig} from '../pack-config.ts';

export function specFolder(config: PackConfig): string {
  return config?.wu_dir ?? 'docs/tasks';
}

/** Relative to the repository's root. */
export function specPath(config: PackConfig, id: string): string {
  return `${specFolder(config)}/${id}.yaml`;
}

/** A lane's id can contain characters that a branch name must not. */
export function laneBranch(lane: string, id: string): string {
  return `lane/${lane.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}/${id.toLowerCase()}`;
}
