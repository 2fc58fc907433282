// The comments on one work unit, or the texts of all, read from the whole log. They have no snapshot, so that it stays small.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';
import type {WuCommented} from '../work-units/wu-event.ts';

export interface UnitComment {
  readonly at: string;
  readonly who: string;
  readonly text: string;
}

export function unitComments(id: string): Slice<UnitComment[]> {
  return {
    name: 'comments',
    version: 1,
    initial: [],
    evolve(comments, event) {
      if (isComment(event) && event.id === id) comments.push(commentOf(event));
      return comments;
    },
  };
}

export function isComment(event: DeliveryEvent): event is WuCommented {
  return event.type === 'wu_commented';
}

function commentOf({at, by, actor, text}: WuCommented): UnitComment {
  return {at, who: actor ?? by, text};
}
