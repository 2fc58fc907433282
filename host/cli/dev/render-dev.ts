// Renders a pack in development: its tools, its problems with their location, and the last call.
import type {Problem} from '@lumenflow/kernel';
import {cleanText} from '../rendering/clean-text.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import {renderDuration} from '../rendering/render-time.ts';
import {renderTools, type ToolRow} from '../rendering/render-tools.ts';
import {sourceExcerpt} from '../rendering/source-excerpt.ts';
import type {Style} from '../rendering/style.ts';
import type {Refreshed} from './dev-host.ts';

export interface DevView extends Refreshed {
  /** `hello 0.1.0`; undefined until the pack was loaded once. */
  readonly pack: string | undefined;
  readonly root: string;
  readonly isTemporary: boolean;
  readonly tools: readonly ToolRow[];
  readonly durationMs: number;
}

export function renderDev(view: DevView, style: Style): string {
  const {pack, root, isTemporary, tools, problems, status, written = []} = view;
  const took = style.dim(renderDuration(view.durationMs));
  const name = style.bold(cleanText(pack ?? 'the pack'));
  const reported = {
    loaded: `${style.good('✔')} ${name} loaded  ${took}`,
    unchanged: `${style.good('✔')} ${name} as loaded  ${took}`,
    failed: `${style.bad('✘')} ${name} cannot be loaded${pack === undefined ? '' : ': the previous version stays loaded'}  ${took}`,
  }[status];
  const place = isTemporary ? 'in a temporary workspace that allows everything' : `in ${cleanText(root)}`;
  return [
    `${reported}  ${style.dim(place)}`,
    ...(written.length === 0
      ? []
      : [`  ${style.dim('wrote')}  ${cleanText(written.join(', '))}  ${style.dim('in the manifest')}`]),
    ...(problems.length === 0 ? [] : [renderProblems(problems, style, (where) => sourceExcerpt(where, root, style))]),
    ...(tools.length === 0 ? [] : ['', renderTools(tools, style)]),
  ].join('\n');
}

/** A pack in development is never pinned, so this warning is omitted. */
export function isWorthPrinting({code}: Problem): boolean {
  return code !== 'PACK_NOT_PINNED';
}
