// Receivers of notifications in workspace.yaml that could not work: links for a group that does not exist, links in a workspace without
// them, two receivers with one name, keys of e-mail and of HTTP messages together, reminders after the end of every request.
import type {NotificationReceiver, WorkspaceSpec} from '@lumenflow/schemas';
import {nearestName} from '../names/nearest-name.ts';
import {periodMs} from '../notifications/period-ms.ts';
import type {Problem} from '../problem.ts';

interface Written {
  readonly spec: Pick<WorkspaceSpec, 'approvals' | 'sign_in'>;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

type Found = readonly [pointer: string, problem: Pick<Problem, 'severity' | 'message' | 'help'>];

const groupPrefix = 'group:';
const defaultPeriod = '7d';

export function approvalReceivers({spec, locate}: Written): readonly Problem[] {
  return [...receiverProblems(spec), ...lateReminders(spec)].map(([pointer, problem]) => ({
    code: 'APPROVAL_RECEIVER_INVALID',
    ...problem,
    where: locate(`/approvals${pointer}`),
  }));
}

function receiverProblems(spec: Written['spec']): readonly Found[] {
  const receivers = spec.approvals?.notify ?? [];
  return receivers.flatMap((receiver, index): readonly Found[] => {
    const {id, link_to} = receiver;
    const isTwin = receivers.findIndex((other) => other.id === id) < index;
    const problem = link_to === undefined ? undefined : linkProblem(spec, link_to);
    return [
      ...(isTwin ? [[`/notify/${index}/id`, error(`two receivers have the id \`${id}\``, 'rename one')] as const] : []),
      ...(problem ? [[`/notify/${index}/link_to`, problem] as const] : []),
      ...transportProblems(receiver).map(([key, found]) => [`/notify/${index}/${key}`, found] as const),
    ];
  });
}

/** The keys of e-mail and those of HTTP messages exclude each other. */
function transportProblems({email, url, format, secret_env}: NotificationReceiver): readonly Found[] {
  const isMail = url !== undefined && /^smtps?:/u.test(url);
  if (!email) return isMail ? [['url', error('a mail server needs `email`', 'add `email` with `from` and `to`')]] : [];
  const useless = (key: string): Found => [key, error(`\`${key}\` does not apply to e-mail`, 'remove it')];
  return [
    ...(url === undefined || isMail
      ? []
      : [['url', error('`email` needs a mail server', 'write smtps://HOST, or smtp://HOST')] as const]),
    ...(format === undefined ? [] : [useless('format')]),
    ...(secret_env === undefined ? [] : [useless('secret_env')]),
  ];
}

function linkProblem({approvals, sign_in}: Written['spec'], to: string): Found[1] | undefined {
  const {groups = {}, links, url} = approvals ?? {};
  if (sign_in) return error('in a workspace with `sign_in` there are no links', 'remove `link_to`: people sign in');
  if (!links) return error('`link_to` needs `approvals.links`', 'add `links` with a `key_env`');
  if (url === undefined) return error('`link_to` needs `approvals.url`', "add `url`: the dashboard's address");
  if (!to.startsWith(groupPrefix)) return unknownPerson(groups, to);
  const name = to.slice(groupPrefix.length);
  if (Object.hasOwn(groups, name)) return undefined;
  const nearest = nearestName(name, Object.keys(groups));
  const help = nearest === undefined ? 'define it in `approvals.groups`' : `did you mean \`${groupPrefix}${nearest}\`?`;
  return error(`there is no group \`${name}\``, help);
}

/** A person needs no entry anywhere, but the name of a group without its prefix is a mistake. */
function unknownPerson(groups: Readonly<Record<string, unknown>>, name: string): Found[1] | undefined {
  if (!Object.hasOwn(groups, name)) return undefined;
  const message = `\`${name}\` is a group, but \`link_to\` names a person`;
  return {severity: 'warning', message, help: `write \`${groupPrefix}${name}\``};
}

function lateReminders({approvals}: Written['spec']): readonly Found[] {
  const {expires_after = defaultPeriod, remind_after = []} = approvals ?? {};
  return remind_after.flatMap((period, index): readonly Found[] => {
    if (periodMs(period) < periodMs(expires_after)) return [];
    const message = `no reminder is sent after ${period}: requests expire after ${expires_after}`;
    return [[`/remind_after/${index}`, {severity: 'warning', message, help: 'use a shorter period, or remove it'}]];
  });
}

function error(message: string, help: string): Found[1] {
  return {severity: 'error', message, help};
}
