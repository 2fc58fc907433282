// Lanes in the format of workspace.yaml.
import {stringify} from 'yaml';
import type {LaneEntry} from './proposed-lane.ts';

export function laneYaml(entries: readonly LaneEntry[]): string {
  return stringify({lanes: entries}, {lineWidth: 110});
}
