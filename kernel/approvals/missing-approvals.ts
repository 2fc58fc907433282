// The approvals that a request still needs. Each rule that requires approval is satisfied apart; one person counts once for each.
import type {Person, PolicyDecision} from '@lumenflow/schemas';
import {isSamePerson} from '../names/is-same-person.ts';

export interface ApprovalAnswer {
  readonly by: string;
  readonly person?: Person;
  readonly at: string;
  readonly reason?: string;
  /** The passkey that signed it. */
  readonly passkey_id?: string;
}

export interface MissingApproval {
  readonly rule_id: string;
  readonly count: number;
  /** Of these persons, who have not answered and did not ask; absent: of any. */
  readonly by?: readonly string[];
  /** Signed with a passkey. */
  readonly passkey?: true;
}

/** Empty once the answers are enough. Rules without approvers need one answer of any person. */
export function missingApprovals(
  {rules, requested_by}: {readonly rules: readonly PolicyDecision[]; readonly requested_by: string},
  answers: readonly ApprovalAnswer[],
): readonly MissingApproval[] {
  const answered = new Set(answers.map(({by}) => by));
  // A rule with a warning was overruled: it requires nothing.
  const required = rules.filter(({warning}) => warning === undefined);
  const missing = required.flatMap(
    ({rule_id, approvers: {by, count, passkey} = {count: 1}}): readonly MissingApproval[] => {
      const given = by === undefined ? answered.size : by.filter((name) => answered.has(name)).length;
      if (given >= count) return [];
      const left = by?.filter((name) => !answered.has(name) && !isSamePerson(name, requested_by));
      return [{rule_id, count: count - given, ...(left && {by: left}), ...(passkey && {passkey})}];
    },
  );
  // A program asks without a rule.
  return required.length === 0 && answers.length === 0 ? [{rule_id: '', count: 1}] : missing;
}
