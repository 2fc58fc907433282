// Renders a failure: its code, message, location, rule and fix.
import type {ToolFailure} from '@lumenflow/schemas';
import {lastLines} from '../../text/last-lines.ts';
import {cleanText} from './clean-text.ts';
import {renderFields, wrapText} from './render-fields.ts';
import type {Style} from './style.ts';

export interface FailureAdvice {
  /** How to fix it. */
  readonly help?: string | undefined;
  /** Commands to continue with, each with its purpose. */
  readonly next?: readonly {readonly to: string; readonly command: string}[];
}

export function renderFailure(failure: ToolFailure, advice: FailureAdvice, style: Style): string {
  const {code, details = {}} = failure;
  const issues = issuesIn(details);
  const message = withoutIssues(failure.message, issues);
  const text = (key: string): string | undefined => {
    const value = details[key];
    return typeof value === 'string' && value !== '' ? cleanText(value) : undefined;
  };
  const rule = text('rule_id');
  const layer = text('layer');
  const help = advice.help ?? text('remedy') ?? text('help') ?? text('fix');
  const fields = renderFields(
    [
      ['rule', rule && (layer === undefined ? rule : `${rule} (layer ${layer})`)],
      ['where', text('where')],
      ['issues', issuesOf(issues, code === 'INVALID_OUTPUT' ? '(the output)' : '(the input)')],
      ['stderr', lastLines(text('stderr'))],
      // Some messages already contain the fix.
      ['fix', help === undefined || message.includes(help) ? undefined : cleanText(help)],
      ['expires', text('expires_at')],
    ],
    style,
    2,
  );
  const waits = code === 'APPROVAL_REQUIRED' || code === 'CHANGES_PARKED';
  const paint = waits ? style.warning : style.bad;
  const mark = waits ? '●' : '✘';
  const head = wrapText(`${paint(`${mark} ${style.bold(cleanText(code))}`)}  ${cleanText(message)}`, style.width);
  return [head, fields, renderNext(advice.next ?? [], style)].filter((part) => part !== '').join('\n');
}

/** Never wraps commands, so that they can be copied. */
export function renderNext(next: NonNullable<FailureAdvice['next']>, style: Style): string {
  return next.map(({to, command}) => `  ${style.dim(`${to}:`)}\n    ${style.accent(cleanText(command))}`).join('\n');
}

interface Issue {
  readonly pointer?: string;
  readonly message?: string;
}

function issuesIn({issues}: Readonly<Record<string, unknown>>): readonly Issue[] {
  return Array.isArray(issues) ? issues : [];
}

/** A message for one line names the issues too. Here they follow it, one by one. */
function withoutIssues(message: string, issues: readonly Issue[]): string {
  const named = issues.map(({message: issue = ''}) => message.indexOf(issue));
  const end = message.lastIndexOf(': ', Math.min(...named));
  const areNamed = !named.includes(-1) && message.endsWith(issues.at(-1)?.message ?? '');
  return issues.length > 0 && areNamed && end > 0 ? message.slice(0, end) : message;
}

/** `whole` labels issues without a pointer. */
function issuesOf(issues: readonly Issue[], whole: string): string | undefined {
  if (issues.length === 0) return undefined;
  return issues
    .map(({pointer = '', message = ''}) => cleanText(`${pointer === '' ? whole : pointer}  ${message}`))
    .join('\n');
}
