// Completes a draft: fields of the call first, then of the template, then the workspace's defaults. A small fix needs no
// description and no acceptance besides its title.
import type {PackConfig} from '../pack-config.ts';
import {suggestLanes} from '../lanes/suggest-lanes.ts';
import type {LaneView} from '../work-units/kernel-tasks.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {WuSpec, WuType} from '../work-units/wu-spec.ts';

/** Any part of a spec. */
export type PartialSpec = {readonly [Field in keyof WuSpec]?: WuSpec[Field]};

export interface Filling {
  readonly config: PackConfig;
  readonly template: PartialSpec;
  readonly lanes: readonly LaneView[];
  readonly units: readonly WorkUnit[];
}

/** Types whose title is description enough. The schema of specs requires more of the other types. */
const smallTypes: readonly WuType[] = ['bug', 'documentation', 'chore'];

/** Missing fields without a default stay missing. */
export function fillDraft(given: PartialSpec, {config, template, lanes, units}: Filling): PartialSpec {
  const {type, priority, lane} = config?.defaults ?? {};
  const known = {type: type ?? 'chore', priority: priority ?? 'P2', ...template, ...given} as const;
  const isSmall = smallTypes.includes(known.type);
  const {title} = known;
  const chosen = known.lane ?? lane ?? onlyLane(lanes) ?? inferLane(known, lanes, units);
  return {
    ...(isSmall && title !== undefined && {description: title, acceptance: [title]}),
    ...known,
    ...(chosen !== undefined && {lane: chosen}),
  };
}

function onlyLane(lanes: readonly LaneView[]): string | undefined {
  return lanes.length === 1 ? lanes[0]?.id : undefined;
}

/** The lane that fits the code paths best; undefined if two fit equally well. */
function inferLane(
  {code_paths = [], title = ''}: PartialSpec,
  lanes: readonly LaneView[],
  units: readonly WorkUnit[],
): string | undefined {
  const [best, second] = suggestLanes(lanes, units, {code_paths, text: title});
  return best === undefined || best.score === second?.score ? undefined : best.lane;
}
