// What a receiver reads about a request for approval. It contains no input of the call: that is read where people sign in.
import {cutText, type DueNotification} from '@lumenflow/kernel';
import {linkOf, textOf, type MessageTerms, type MessageText} from './message-text.ts';

type Approval = DueNotification['approval'];

/** The body of the message in the receiver's format. */
export function notificationMessage(due: DueNotification, terms: MessageTerms): object {
  const {format = 'standard'} = due.receiver;
  if (format === 'standard') return standardMessage(due, terms);
  const {title, facts, link} = textOf(due, terms);
  return format === 'slack' ? slackMessage(title, facts, link) : teamsMessage(title, facts, link);
}

function standardMessage(due: DueNotification, terms: MessageTerms): object {
  const {approval, occasion, attempt} = due;
  const {request_id, state, subject, requested_by, requested_at, expires_at, rules, missing} = approval;
  const {kind, tool_name, task_id} = subject;
  const link = linkOf(due, terms);
  return {
    type: `approval.${occasion.replace(/-\d+$/u, '')}`,
    timestamp: terms.now,
    data: {
      request_id,
      state,
      kind,
      ...(tool_name !== undefined && {tool_name}),
      task_id,
      requested_by,
      requested_at,
      expires_at,
      rules: rules.map(({rule_id, reason}) => ({rule_id, ...(reason !== undefined && {reason})})),
      ...(missing && {missing}),
      ...answerOf(approval),
      attempt,
      ...(link !== undefined && {url: link}),
    },
  };
}

function answerOf({resolved_by, resolved_at, reason}: Approval): object {
  return {
    ...(resolved_by !== undefined && {resolved_by}),
    ...(resolved_at !== undefined && {resolved_at}),
    ...(reason !== undefined && {reason}),
  };
}

/** Block Kit. `text` is what notifications show. Texts of others are plain: they cannot mention a channel. */
function slackMessage(title: string, facts: MessageText['facts'], link: string | undefined): object {
  const plain = (text: string): object => ({type: 'plain_text', text, emoji: false});
  return {
    text: escaped(title),
    blocks: [
      {type: 'header', text: plain(cutText(title, 150))},
      {type: 'section', fields: facts.map(([name, value]) => plain(cutText(`${name}: ${value}`, 2_000)))},
      ...(link === undefined ? [] : [{type: 'actions', elements: [{type: 'button', text: plain('Open'), url: link}]}]),
    ],
  };
}

/** The three characters that Slack's text gives a meaning. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An Adaptive Card, as workflows of Teams accept it. Facts and text runs contain no Markdown of others. */
function teamsMessage(title: string, facts: MessageText['facts'], link: string | undefined): object {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      {type: 'RichTextBlock', inlines: [{type: 'TextRun', text: title, weight: 'Bolder', size: 'Medium'}]},
      ...facts.map(([name, value]) => ({
        type: 'RichTextBlock',
        inlines: [
          {type: 'TextRun', text: `${name}: `, weight: 'Bolder'},
          {type: 'TextRun', text: value},
        ],
      })),
    ],
    ...(link !== undefined && {actions: [{type: 'Action.OpenUrl', title: 'Open', url: link}]}),
  };
  return {
    type: 'message',
    attachments: [{contentType: 'application/vnd.microsoft.card.adaptive', content: card}],
  };
}
