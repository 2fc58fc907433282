// An e-mail about a request: plain text. Texts of others stay on their line, so they cannot add headers, facts or links that look like ours.
import {cutText, type DueNotification} from '@lumenflow/kernel';
import {showControls} from '../text/show-controls.ts';
import {textOf, type MessageTerms} from './message-text.ts';

export interface EmailTerms extends MessageTerms {
  readonly from: string;
  readonly to: readonly string[];
  /** Equal for all attempts. */
  readonly id: string;
  /** The id of the message about the new request, below which mail programs show later ones. */
  readonly firstId: string;
}

export interface EmailMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
  readonly inReplyTo: string | undefined;
  /** UTC, ISO 8601. */
  readonly date: string;
}

const subjectMax = 150;
const valueMax = 2_000;

export function emailMessage(due: DueNotification, terms: EmailTerms): EmailMessage {
  const {from, to, id, firstId, now: date} = terms;
  const {title, facts, link} = textOf(due, terms);
  const lines = facts.map(([name, value]) => `${name}: ${oneLine(value, valueMax)}`);
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    from,
    to,
    subject: oneLine(title, subjectMax),
    text: [oneLine(title, valueMax), '', ...lines, ...(link === undefined ? [] : ['', `Open: ${link}`]), ''].join('\n'),
    messageId: `<${id}@${domain}>`,
    inReplyTo: id === firstId ? undefined : `<${firstId}@${domain}>`,
    date,
  };
}

function oneLine(text: string, max: number): string {
  return cutText(showControls(text.replaceAll(/\s+/gu, ' ')), max);
}
