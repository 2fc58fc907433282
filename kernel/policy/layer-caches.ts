// What the rules of one layer look up together: time zones, and the command line that a call contains.
import {createShellLines, type ShellLines} from './shell/shell-lines.ts';
import {createZones, type Zones} from './time/zones.ts';

export interface LayerCaches {
  readonly zones: Zones;
  readonly shellLines: ShellLines;
}

export function createLayerCaches(): LayerCaches {
  return {zones: createZones(), shellLines: createShellLines()};
}
