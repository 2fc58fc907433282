// Renders the check of a workspace: the verdict, then one line for each area.
import type {AreaCheck} from '../../check/check-workspace.ts';
import {counted} from '../../text/counted.ts';
import {cleanText} from './clean-text.ts';
import {renderFields, wrapText} from './render-fields.ts';
import type {Style} from './style.ts';

interface CountedArea extends AreaCheck {
  readonly errors: number;
  readonly warnings: number;
}

interface Verdict {
  /** How many errors and warnings; empty if there are none. */
  readonly message: string;
  readonly fails: boolean;
}

export function renderCheck(areas: readonly CountedArea[], {message, fails}: Verdict, style: Style): string {
  const errors = areas.some((area) => area.errors > 0);
  const verdict = errors
    ? style.bad(`✘ the workspace cannot be used here: ${message}`)
    : fails
      ? style.bad(`✘ the workspace loads, with ${message}`)
      : style.good(`✔ the workspace loads${message === '' ? '' : `, with ${message}`}`);
  const lines = renderFields(
    areas.map(
      (area) => [`  ${area.area}`, `${markOf(area, style)} ${cleanText(area.detail)}${foundIn(area)}`] as const,
    ),
    style,
  );
  return [wrapText(verdict, style.width), '', lines].join('\n');
}

function markOf({errors, warnings, is_skipped}: CountedArea, style: Style): string {
  if (errors > 0) return style.bad('✘');
  if (warnings > 0) return style.warning('!');
  return is_skipped === true ? style.dim('·') : style.good('✔');
}

function foundIn({errors, warnings}: CountedArea): string {
  const found = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return found.length === 0 ? '' : `; ${found.join(', ')}`;
}
