// Existing plans, their links, and the bytes that were approved. Their text is a file in git.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';

export interface PlanRecord {
  /** The file name, without folder and extension. */
  readonly id: string;
  readonly title: string;
  /** WUs and initiatives. */
  readonly links: readonly string[];
  readonly promoted?: PlanPromotion;
}

export interface PlanPromotion {
  /** Hash of the approved text from `approvedText`. Any other text is a draft. */
  readonly approved_sha256: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
}

export interface PlanCreated extends DeliveryEvent {
  readonly type: 'plan_created';
  readonly id: string;
  readonly title: string;
}

export interface PlanEdited extends DeliveryEvent {
  readonly type: 'plan_edited';
  readonly id: string;
  readonly section: string;
}

export interface PlanLinked extends DeliveryEvent {
  readonly type: 'plan_linked';
  readonly id: string;
  readonly links: readonly string[];
}

export interface PlanPromoted extends DeliveryEvent {
  readonly type: 'plan_promoted';
  readonly id: string;
  readonly approved_sha256: string;
}

export type PlanEvent = PlanCreated | PlanEdited | PlanLinked | PlanPromoted;

export type PlanState = Record<string, PlanRecord>;

export const planSlice: Slice<PlanState, PlanEvent> = {
  name: 'plans',
  version: 1,
  initial: {},
  evolve(state, event) {
    switch (event.type) {
      case 'plan_created':
        state[event.id] = {id: event.id, title: event.title, links: []};
        break;
      case 'plan_edited':
        change(state, event.id, ({promoted: _promoted, ...plan}) => plan);
        break;
      case 'plan_linked':
        change(state, event.id, (plan) => ({...plan, links: event.links}));
        break;
      case 'plan_promoted': {
        const {approved_sha256, at, by} = event;
        change(state, event.id, (plan) => ({...plan, promoted: {approved_sha256, at, by}}));
        break;
      }
      default:
        // Belongs to another domain.
        event satisfies never;
    }
    return state;
  },
};

function change(state: PlanState, id: string, changed: (plan: PlanRecord) => PlanRecord): void {
  const plan = state[id];
  if (plan !== undefined) state[id] = changed(plan);
}
