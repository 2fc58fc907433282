// Stores a change of lanes as a proposal, and returns the steps for a person.
import {applySteps} from '../config/apply-steps.ts';
import type {EventStamp} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {workUnits} from '../work-units/work-units.ts';
import type {LaneEntry} from './lane-change.ts';
import {laneYaml} from './lane-yaml.ts';

export interface LaneProposal {
  readonly lanes: readonly LaneEntry[];
  /** The entries under `lanes:` of workspace.yaml; empty if nothing changes. */
  readonly yaml: string;
  /** Always false: a person applies the change. */
  readonly applied: false;
  readonly next_steps: readonly string[];
  readonly dry_run: boolean;
}

export interface ProposalTerms {
  /** `replace`: the lanes already exist. */
  readonly how: 'append' | 'replace';
  readonly stamp: EventStamp;
  readonly dryRun: boolean;
}

export async function proposeLanes(
  log: DeliveryLog,
  entries: readonly LaneEntry[],
  {how, stamp, dryRun}: ProposalTerms,
): Promise<LaneProposal> {
  const proposals = entries.map((entry) => {
    return {type: 'lane_proposed' as const, ...stamp, lane: entry.id, yaml: laneYaml([entry])};
  });
  if (!dryRun) await log.decide(workUnits, () => ({events: proposals, result: undefined}));
  const place = how === 'append' ? 'add the entries to `lanes:`' : 'replace the entries of these lanes under `lanes:`';
  return {
    lanes: entries,
    yaml: entries.length === 0 ? '' : laneYaml(entries),
    applied: false,
    next_steps: entries.length === 0 ? [] : applySteps(place),
    dry_run: dryRun,
  };
}
