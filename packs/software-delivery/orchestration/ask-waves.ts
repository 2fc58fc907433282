// Turns an initiative's work units, and other active work, into the input of wave planning.
import {dependencyGraph} from '../dependencies/dependency-graph.ts';
import {findOverlaps} from '../overlaps/find-overlaps.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import type {WaveQuestion, WaveUnit} from './wave-plan.ts';

export interface WaveFacts {
  readonly units: WorkUnits['units'];
  /** The work units to plan. */
  readonly members: ReadonlySet<string>;
  /** The work units with an assignee. */
  readonly handedOut: ReadonlySet<string>;
  readonly limits: WaveQuestion['limits'];
}

export function askWaves({units, members, handedOut, limits}: WaveFacts): WaveQuestion {
  const all = Object.values(units);
  const graph = dependencyGraph(all.map(({spec}) => spec));
  const chosen = all.filter(({spec, status}) => members.has(spec.id) && status !== 'done');
  const busy = all.filter(
    ({spec, status}) => !members.has(spec.id) && (status === 'in_progress' || status === 'blocked'),
  );
  const specs = [...chosen, ...busy].map(({spec}) => spec);
  const waveUnit = ({spec, status}: WorkUnit): WaveUnit => ({
    id: spec.id,
    lane: spec.lane,
    priority: spec.priority,
    status,
    depends_on: graph.get(spec.id) ?? [],
    overlaps: findOverlaps(spec, specs).map(({id}) => id),
    is_handed_out: handedOut.has(spec.id),
  });
  return {
    units: chosen.map(waveUnit),
    beside: busy.map(waveUnit),
    done: new Set(all.filter(({status}) => status === 'done').map(({spec}) => spec.id)),
    limits,
  };
}
