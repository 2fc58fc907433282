// `approvers` of a rule: the persons that must approve, and how many of them. Groups are resolved here, so that each request names persons.
import type {PolicyDecision, PolicyRule} from '@lumenflow/schemas';
import {isSamePerson} from '../names/is-same-person.ts';
import type {MatcherSite} from './matcher-site.ts';
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';

const groupPrefix = 'group:';

export function compileApprovers(
  {approvers, decision, self_approval, channel}: PolicyRule,
  site: MatcherSite,
  {groups = {}}: Pick<PolicyCompilerPorts, 'groups'>,
): PolicyDecision['approvers'] {
  if (approvers === undefined) return undefined;
  const reject = (pointer: string, message: string, help: string): undefined => {
    site.reject(`/approvers${pointer}`, 'POLICY_APPROVERS_INVALID', message, help);
  };
  if (decision !== 'approval_required') {
    return reject('', 'only a rule that requires an approval has approvers', 'write `decision: approval_required`');
  }
  if (self_approval === true || channel !== undefined) {
    return reject(
      '',
      '`approvers` excludes `self_approval` and `channel`',
      'the asker is never an approver: remove one',
    );
  }
  const {by, count = 1, passkey} = approvers;
  const terms = {count, ...(passkey && {passkey})};
  if (by === undefined) return terms;
  const unknown = by.findIndex((name) => membersOf(name, groups) === undefined);
  if (unknown !== -1) {
    const message = `there is no group \`${by[unknown]?.slice(groupPrefix.length) ?? ''}\``;
    return reject(`/by/${unknown}`, message, 'define it in `approvals.groups` of workspace.yaml');
  }
  const names = by.flatMap((name) => membersOf(name, groups) ?? []);
  const persons = names.filter((name, index) => names.findIndex((other) => isSamePerson(other, name)) === index);
  if (persons.length >= count) return {...terms, by: persons};
  const message = `${count} approvals of ${persons.length} persons are not possible: the request would always wait`;
  return reject('', message, 'name more persons, or lower `count`');
}

/** Undefined if there is no such group. */
function membersOf(name: string, groups: NonNullable<PolicyCompilerPorts['groups']>): readonly string[] | undefined {
  if (!name.startsWith(groupPrefix)) return [name];
  const group = name.slice(groupPrefix.length);
  return Object.hasOwn(groups, group) ? groups[group] : undefined;
}
