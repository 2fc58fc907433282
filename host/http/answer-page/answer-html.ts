// The pages at /answer: plain HTML without scripts. Every text of others is escaped.
import {cutText, requiresPasskey, type StandingApproval} from '@lumenflow/kernel';

export interface AskedPart {
  readonly title: string;
  readonly text: string;
}

export interface AskedPage {
  readonly approval: StandingApproval;
  /** What is approved: the exact input, its effect, the changes. */
  readonly parts: readonly AskedPart[];
  /** The names that the reader can choose. */
  readonly persons: readonly string[];
  readonly link: string;
  /** The address of the dashboard. */
  readonly dashboard: string;
  /** Proof that this browser was shown the form. */
  readonly proof: string;
}

/** No scripts and no other resources; the form can be sent only here. */
export const answerPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Characters of a part. Beyond that, the reader must use the dashboard. */
const partShown = 100_000;

export function askedHtml({approval, parts, persons, link, proof, dashboard}: AskedPage): string {
  const {request_id, subject, requested_by, expires_at, rules} = approval;
  const facts = [
    ['Request', request_id],
    ['Requested by', requested_by],
    ['Task', subject.task_id],
    ...rules.flatMap(({reason}) => (reason === undefined ? [] : [['Reason', reason]])),
    ['Expires', expires_at],
  ];
  const who =
    persons.length === 1
      ? `<p>You answer as <b>${escaped(persons[0] ?? '')}</b>.</p>`
      : `<label>Your name <select name="name" required><option></option>${persons
          .map((name) => `<option>${escaped(name)}</option>`)
          .join('')}</select></label>`;
  const signed = requiresPasskey(approval) ? signedHtml(dashboard, request_id) : '';
  return page(
    `Approve ${subject.tool_name ?? `the ${subject.kind} of a task`}?`,
    `<dl>${facts.map(([name = '', value = '']) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
${parts.map(partHtml).join('\n')}
<form method="post" action="/answer">
<input type="hidden" name="link" value="${escaped(link)}"><input type="hidden" name="proof" value="${escaped(proof)}">
${who}
<label>Reason <input name="reason" maxlength="1000"></label>
${signed}<p>${signed === '' ? '<button name="answer" value="approve">Approve</button> ' : ''}<button name="answer" value="reject">Reject</button></p>
</form>`,
  );
}

/** This page runs no scripts, so it cannot ask for a passkey. */
function signedHtml(dashboard: string, requestId: string): string {
  const address = escaped(`${dashboard}/#/approvals/${encodeURIComponent(requestId)}`);
  return `<p>To approve, sign with a passkey in the dashboard: <a href="${address}">${address}</a></p>\n`;
}

function partHtml({title, text}: AskedPart): string {
  const shown =
    text.length > partShown
      ? `${cutText(text, partShown)}\n… ${text.length - partShown} more characters are not shown: use the dashboard`
      : text;
  return `<h2>${escaped(title)}</h2><pre>${escaped(shown)}</pre>`;
}

export function messageHtml(title: string, text: string): string {
  return page(title, `<p>${escaped(text)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>
body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}pre{background:#f3f4f6;padding:1rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
label{display:block;margin:.5rem 0}button{font:inherit;padding:.5rem 1.5rem}
</style></head><body><main><h1>${escaped(title)}</h1>
${body}</main></body></html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that show nothing, or change the order of others, appear as their codes. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) =>
      character === '\n' || character === '\t' ? character : codeOf(character),
    )
    .replaceAll(/[&<>"']/gu, (character) => entities[character] ?? '');
}

function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
