// The page at which a person answers a request by a signed link. Showing it decides nothing: programs that look at links do that too. A form
// counts only from the browser that was shown it.
import {cutText} from '@lumenflow/kernel';
import type {ApprovalResolution, KernelRuntime, StandingApproval} from '@lumenflow/kernel';
import {randomBytes, timingSafeEqual} from 'node:crypto';
import {formProof, personsOf, type SignedLink, type LinkService} from '../../approvals/links/index.ts';
import {answerApproval} from '../../changes/answer-approval.ts';
import {statusOf} from '../error-status.ts';
import {Verbatim, type Reply} from '../reply.ts';
import {askedParts} from './asked-parts.ts';
import {answerPolicy, askedHtml, messageHtml} from './answer-html.ts';

export interface AnswerPage {
  /** `link`: of the address. `cookies`: the header. */
  show(link: string, cookies: string): Promise<Reply>;
  /** `form`: the body of the request. */
  answer(form: URLSearchParams, cookies: string): Promise<Reply>;
}

const cookieName = 'lumenflow-answer';

export function createAnswerPage(runtime: KernelRuntime, links: LinkService): AnswerPage {
  async function requestOf({request_id}: SignedLink): Promise<StandingApproval | undefined> {
    await runtime.refresh();
    return runtime.listApprovals().find((approval) => approval.request_id === request_id);
  }

  return {
    async show(text, cookies) {
      const link = links.read(text);
      if (!link.ok) return pageReply(403, messageHtml('No answer is possible', link.problem));
      const approval = await requestOf(link.value);
      const over = approval && overText(approval);
      if (!approval || over !== undefined)
        return pageReply(410, messageHtml('Nothing to answer', over ?? 'the request does not exist'));
      const browser = browserOf(cookies) ?? randomBytes(32).toString('base64url');
      const persons = personsOf(runtime.workspace.spec, link.value.to);
      const proof = formProof(links.key, browser, text);
      const dashboard = runtime.workspace.spec.approvals?.url ?? '';
      const html = askedHtml({
        approval,
        parts: await askedParts(runtime, approval),
        persons,
        link: text,
        proof,
        dashboard,
      });
      return pageReply(200, html, {'set-cookie': cookieOf(browser, runtime)});
    },
    async answer(form, cookies) {
      const text = form.get('link') ?? '';
      const link = links.read(text);
      if (!link.ok) return pageReply(403, messageHtml('No answer is possible', link.problem));
      if (!isProven(form.get('proof') ?? '', formProof(links.key, browserOf(cookies) ?? '', text)))
        return unanswered(403, 'open the link again, and answer in the same browser');
      const resolution = resolutionOf(form, link.value, personsOf(runtime.workspace.spec, link.value.to));
      if (!resolution) return unanswered(400, 'choose your name, and press Approve or Reject');
      const result = await answerApproval(runtime, resolution);
      if (!result.success) return unanswered(statusOf(result.error.code), result.error.message);
      const done = resolution.approved ? 'approved' : 'rejected';
      const state = `${link.value.request_id} is ${result.data.state}.`;
      return pageReply(200, messageHtml(`You have ${done} the request`, state));
    },
  };
}

/** Undefined if the form lacks a name or an answer. */
function resolutionOf(
  form: URLSearchParams,
  {id, request_id}: SignedLink,
  persons: readonly string[],
): ApprovalResolution | undefined {
  const name = persons.length === 1 ? persons[0] : (form.get('name') ?? '');
  const answer = form.get('answer');
  const isClear = answer === 'approve' || answer === 'reject';
  if (name === undefined || !persons.includes(name) || !isClear) return undefined;
  const reason = cutText(form.get('reason') ?? '', 1_000);
  const given = {request_id, approved: answer === 'approve', approved_by: name};
  return {...given, channel: 'link', link_id: id, ...(reason !== '' && {reason})};
}

function unanswered(status: number, why: string): Reply {
  return pageReply(status, messageHtml('Nothing was answered', why));
}

function overText({state, resolved_by}: StandingApproval): string | undefined {
  if (state === 'pending') return undefined;
  return resolved_by === undefined ? `the request is ${state}` : `the request is ${state}, by ${resolved_by}`;
}

/** Lax: a link in a chat also sends it, so that two links opened there share it. The form is proven by more than the cookie. */
function cookieOf(browser: string, {workspace}: Pick<KernelRuntime, 'workspace'>): string {
  const secure = workspace.spec.approvals?.url?.startsWith('https:') === true ? '; Secure' : '';
  return `${cookieName}=${browser}; Path=/answer; Max-Age=3600; HttpOnly; SameSite=Lax${secure}`;
}

function browserOf(cookies: string): string | undefined {
  return new RegExp(`(?:^|; )${cookieName}=([\\w-]{43})(?:;|$)`, 'u').exec(cookies)?.[1];
}

function isProven(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function pageReply(status: number, html: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    body: new Verbatim(html),
    headers: {'content-type': 'text/html; charset=utf-8', 'content-security-policy': answerPolicy, ...headers},
  };
}
