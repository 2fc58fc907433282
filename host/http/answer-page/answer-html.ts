// The pages at /answer: plain HTML without scripts. Every text of others is escaped.
import type {StandingApproval} from '@lumenflow/kernel';

export interface AskedPage {
  readonly approval: StandingApproval;
  /** The exact input of the call, as JSON; absent if the request is not for a call. */
  readonly input: string | undefined;
  /** The persons among whom the reader chooses. */
  readonly persons: readonly string[];
  readonly link: string;
  /** Proof that this browser was shown the form. */
  readonly proof: string;
}

/** No scripts and no other resources; the form can be sent only here. */
export const answerPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const inputShown = 20_000;

export function askedHtml({approval, input, persons, link, proof}: AskedPage): string {
  const {request_id, subject, requested_by, expires_at, rules} = approval;
  const facts = [
    ['Request', request_id],
    ['Requested by', requested_by],
    ['Task', subject.task_id],
    ...rules.flatMap(({reason}) => (reason === undefined ? [] : [['Reason', reason]])),
    ['Expires', expires_at],
  ];
  const shown = input !== undefined && input.length > inputShown ? `${input.slice(0, inputShown)}\n…` : input;
  const who =
    persons.length === 1
      ? `<p>You answer as <b>${escaped(persons[0] ?? '')}</b>.</p>`
      : `<label>Your name <select name="name" required><option></option>${persons
          .map((name) => `<option>${escaped(name)}</option>`)
          .join('')}</select></label>`;
  return page(
    `Approve ${subject.tool_name ?? `the ${subject.kind} of a task`}?`,
    `<dl>${facts.map(([name = '', value = '']) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
${shown === undefined ? '' : `<h2>Input</h2><pre>${escaped(shown)}</pre>`}
<form method="post" action="/answer">
<input type="hidden" name="link" value="${escaped(link)}"><input type="hidden" name="proof" value="${escaped(proof)}">
${who}
<label>Reason <input name="reason" maxlength="1000"></label>
<p><button name="answer" value="approve">Approve</button> <button name="answer" value="reject">Reject</button></p>
</form>`,
  );
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

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? '');
}
