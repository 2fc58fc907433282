// Renders an explanation: the decision, its rules, the scopes by layer, and what would change it.
import type {PathVerdict} from '@lumenflow/kernel';
import {basename} from 'node:path';
import {cleanText} from '../rendering/clean-text.ts';
import {grantedText} from '../rendering/granted-text.ts';
import {renderDecisions} from '../rendering/render-decisions.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {renderTable} from '../rendering/render-table.ts';
import {within, type Style} from '../rendering/style.ts';
import {bullet, part, renderPolicy} from './render-policy.ts';
import type {ScopeLayerView} from './scope-layers.ts';
import type {ShownExplanation} from './shown-explanation.ts';
import {pathText} from '../../changes/path-text.ts';

const changesTitle = 'CHECKS THE CHANGES OF THE CALL BEFORE THEY ARE APPLIED';
const resultTitle = 'CHECKS WHAT THE CALL RETURNS';

export function renderExplanation(reported: ShownExplanation, style: Style): string {
  const {explanation, scopes} = reported;
  const {failure, policy, granted_scopes, input_issues, paths, on_changes, on_result, execution_mode} = explanation;
  // If the call fails for another reason, a policy change does not help.
  const changes = isRefusedLater(reported) ? [] : (policy?.would_change ?? []);
  const issues = input_issues.map(({pointer, message}) =>
    bullet(pointer === '' ? message : `${pointer}: ${message}`, style),
  );
  const pathLines = paths.map((path) => renderPath(path, style));
  return [
    headline(reported, style),
    ...(failure ? [renderFailure(failure, {}, style)] : []),
    ...part('PATHS', pathLines, style),
    ...part(reported.is_input_given ? 'INVALID INPUT' : 'MISSING INPUT', issues, style),
    ...(policy ? renderPolicy({...policy, would_change: changes}, style) : []),
    ...part(changesTitle, on_changes.length > 0 ? [renderDecisions(on_changes, style, 2)] : [], style),
    ...part(resultTitle, on_result.length > 0 ? [renderDecisions(on_result, style, 2)] : [], style),
    ...part('SCOPES', [renderScopes(scopes, style)], style),
    ...part('GRANTED', granted_scopes ? [indented(grantedText(granted_scopes))] : [], style),
    ...(execution_mode === undefined ? [] : ['', style.dim(`would run in the ${execution_mode}; nothing was run`)]),
  ].join('\n');
}

function isRefusedLater(reported: ShownExplanation): boolean {
  return isInputRefused(reported) || reported.explanation.paths.some(({refusal}) => refusal !== undefined);
}

function isInputRefused({explanation, is_input_given}: ShownExplanation): boolean {
  return is_input_given && explanation.input_issues.length > 0;
}

/** A call that policy allows is not shown as allowed if its scopes do not cover a path. */
function headline(reported: ShownExplanation, style: Style): string {
  const {decision, tool_name, paths} = reported.explanation;
  const refused = paths.some(({refusal}) => refusal !== undefined);
  const tool = style.bold(cleanText(tool_name));
  if (decision === 'deny') return `${style.bad('✘ denied')}  ${tool}`;
  if (refused) return `${style.bad('✘ denied when it accesses the path')}  ${tool}`;
  if (isInputRefused(reported)) return `${style.bad('✘ invalid input')}  ${tool}`;
  return decision === 'allow'
    ? `${style.good('✔ allowed')}  ${tool}`
    : `${style.warning('● waits for approval')}  ${tool}`;
}

function renderScopes(scopes: readonly ScopeLayerView[], style: Style): string {
  const all = (texts: readonly string[]): string => texts.join(', ') || 'nothing';
  return indented(
    renderTable(
      scopes,
      [
        {title: 'layer', cell: ({layer}) => layer},
        {title: 'read', cell: ({read}) => all(read), shrinksTo: 10},
        {title: 'write', cell: ({write}) => all(write), shrinksTo: 10},
        {title: 'network', cell: ({network}) => network, shrinksTo: 8},
        {title: 'written at', cell: ({where}) => basename(where), shrinksTo: 16, paint: () => style.dim},
      ],
      within(style, 2),
    ),
  );
}

function renderPath({path, leads_to, access, refusal}: PathVerdict, style: Style): string {
  const leading = leads_to === undefined ? '' : style.dim(` (leads to ${cleanText(leads_to)})`);
  if (!refusal) return `  ${style.good('✔')} ${pathText(path)}${leading}  ${access}`;
  const {message, where, help} = refusal;
  const fields = renderFields(
    [
      ['where', where === undefined ? undefined : cleanText(where)],
      ['fix', cleanText(help)],
    ],
    style,
    4,
  );
  return `  ${style.bad('✘')} ${cleanText(message)}${access === 'read' ? style.dim(' (reading is allowed)') : ''}${leading}\n${fields}`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gmu, '  ');
}
