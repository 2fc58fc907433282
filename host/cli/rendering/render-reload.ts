// Renders the result of a reload: which version of each pack runs, and the problems of packs that failed.
import type {PackReload} from '@lumenflow/kernel';
import {cleanText} from './clean-text.ts';
import {renderProblems} from './render-problems.ts';
import type {Style} from './style.ts';

export function renderReload(reload: PackReload, style: Style): string {
  const {status, problems} = reload;
  const reported = problems.length === 0 ? [] : [renderProblems(problems, style)];
  if (status === 'failed') return [`${style.bad('✘')} the previous version stays loaded`, ...reported].join('\n');
  if (status === 'unchanged') return [`${style.good('✔')} ${style.dim('as loaded')}`, ...reported].join('\n');
  const packs = reload.change.packs.map(
    ({id, version, integrity}) =>
      `${style.good('✔')} ${style.bold(cleanText(`${id} ${version}`))} loaded anew  ${style.dim(integrity)}`,
  );
  return [...packs, ...reported].join('\n');
}
