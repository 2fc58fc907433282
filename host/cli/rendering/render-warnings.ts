// Renders load warnings above the output of a command. Unpinned packs share one paragraph, with all positions.
import type {Problem} from '@lumenflow/kernel';
import {cleanText} from './clean-text.ts';
import {wrapText} from './render-fields.ts';
import {renderProblems} from './render-problems.ts';
import type {Style} from './style.ts';

/** Empty if there are no warnings. */
export function renderWarnings(problems: readonly Problem[], style: Style): string {
  const unpinned = problems.filter(({code}) => code === 'PACK_NOT_PINNED');
  const others = problems.filter((problem) => !unpinned.includes(problem));
  return [
    ...(unpinned.length > 0 ? [unpinnedLine(unpinned, style)] : []),
    ...(others.length > 0 ? [renderProblems(others, style)] : []),
  ].join('\n');
}

function unpinnedLine(problems: readonly Problem[], style: Style): string {
  const places = problems.map(({where}) => cleanText(where)).join(', ');
  return style.dim(wrapText(`! not pinned (dev), so any change is loaded: ${places}`, style.width));
}
