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
  const {code, message, details = {}} = failure;
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
      ['issues', issuesOf(details['issues'], code === 'INVALID_OUTPUT' ? '(the output)' : '(the input)')],
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

/** `whole` labels issues without a pointer. */
function issuesOf(issues: unknown, whole: string): string | undefined {
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  return issues
    .map(({pointer, message}: {pointer?: string; message?: string}) =>
      cleanText(`${pointer === undefined || pointer === '' ? whole : pointer}  ${message ?? ''}`),
    )
    .join('\n');
}
