// `lumenflow approvals link`: a signed link by which one person, or one of a group, answers a request.
import {LinkKeyError, openLinks, personsOf, type LinkService} from '../../approvals/links/index.ts';
import type {Host} from '../../compose.ts';
import type {CliContext, Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {findApproval} from '../lookup/find-approval.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly to: string;
  readonly hours?: string;
}

export const approvalsLink: Command<Options> = async (context, [requestId = ''], {to, hours}) =>
  await withHost(context, async (host) => {
    const links = linksOf(context, host);
    const {request_id, state} = findApproval(host.runtime, requestId);
    if (state !== 'pending') throw new CliError('APPROVAL_RESOLVED', `request \`${request_id}\` is ${state}`);
    if (personsOf(host.runtime.workspace.spec, to).length === 0) {
      throw new CliError('INVALID_ARGUMENT', `there is no group \`${to}\``, {
        help: 'define it in `approvals.groups` of workspace.yaml',
        exitCode: exitCode.usage,
      });
    }
    const link = links.make(request_id, to, hours === undefined ? undefined : hoursOf(hours));
    return {data: {request_id, to, link}, text: () => link};
  });

function linksOf({env}: CliContext, {runtime}: Host): LinkService {
  const {spec} = runtime.workspace;
  try {
    const links = openLinks({spec, env, now: Date.now});
    if (links.ok) return links.value;
    throw new CliError('INVALID_ARGUMENT', `this workspace has no signed links: ${links.problem}`, {
      exitCode: exitCode.usage,
    });
  } catch (error) {
    if (!(error instanceof LinkKeyError)) throw error;
    throw new CliError('INVALID_ARGUMENT', error.message, {exitCode: exitCode.usage});
  }
}

function hoursOf(text: string): number {
  const hours = Number(text);
  if (hours > 0 && hours <= 168) return hours;
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not a number of hours`, {
    help: 'use a number above 0, at most 168',
    exitCode: exitCode.usage,
  });
}
