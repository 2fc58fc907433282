// An event of a work unit as a sentence for its history.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {DoneEvent} from '../done/done-event.ts';
import type {GatesRecorded} from '../gates/gate-event.ts';
import type {WuEvent} from '../work-units/wu-event.ts';

type Described = WuEvent | DoneEvent | GatesRecorded;

type Sentences = {readonly [Type in Described['type']]: (event: Extract<Described, {readonly type: Type}>) => string};

const sentences: Sentences = {
  wu_created: ({spec}) => `created it in lane \`${spec.lane}\` with priority ${spec.priority}`,
  wu_edited: () => 'edited the spec',
  wu_deleted: ({reason}) => `deleted it: ${reason}`,
  wu_assigned: ({assignee, due}) => assigned(assignee, due),
  wu_commented: ({text}) => `commented: ${text}`,
  wu_claimed: ({branch}) => `claimed it, on branch \`${branch}\``,
  wu_started: ({base}) => `started at commit ${short(base)}`,
  wu_renewed: ({expires_at}) => `renewed the lease until ${expires_at}`,
  wu_blocked: ({reason}) => `blocked it: ${reason}`,
  wu_unblocked: () => 'unblocked it',
  wu_released: ({reason}) => `released it: ${reason}`,
  wu_completed: ({commit}) => `completed it${commit === undefined ? '' : ` with commit ${short(commit)}`}`,
  wu_review_opened: ({remote, branch, head, url}) =>
    `pushed commit ${short(head)} to \`${remote}\` as \`${branch}\` for review${url === undefined ? '' : `: ${url}`}`,
  wu_review_closed: () => 'found that the review was closed without a merge',
  wu_reverted: ({commit, reason, successor}) =>
    `reverted it with commit ${short(commit)}: ${reason}; \`${successor}\` continues it`,
  wu_briefed: () => 'read the brief',
  wu_escalated: ({reason}) => `escalated it: ${reason}`,
  wu_escalation_resolved: ({note}) => `decided: ${note}`,
  done_validated: ({head}) => `checked the work at commit ${short(head)}`,
  done_gated: ({commit}) => `passed the gates at commit ${short(commit)}`,
  done_merged: () => 'merged it',
  done_cleaned: () => 'removed worktree and branch',
  done_rolled_back: ({reason}) => `cancelled the merge: ${reason}`,
  gates_recorded: ({passed, gates}) => `ran the gates: ${outcome(passed, gates)}`,
};

/** Undefined for an event that belongs to no work unit, or of a later version. */
export function describeEvent(event: DeliveryEvent): string | undefined {
  if (!Object.hasOwn(sentences, event.type)) return undefined;
  const describe = sentences[event.type as Described['type']] as (event: DeliveryEvent) => string;
  return describe(event);
}

function assigned(assignee: string | null | undefined, due: string | null | undefined): string {
  return [
    ...(assignee === undefined ? [] : [assignee === null ? 'removed the assignee' : `assigned it to ${assignee}`]),
    ...(due === undefined ? [] : [due === null ? 'removed the due date' : `set the due date ${due}`]),
  ].join(', ');
}

function outcome(passed: boolean, gates: GatesRecorded['gates']): string {
  if (passed) return 'passed';
  const failed = gates.filter((gate) => !gate.passed && !gate.optional).map(({name}) => `\`${name}\``);
  return failed.length === 0 ? 'failed' : `failed ${failed.join(', ')}`;
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
