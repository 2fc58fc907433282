// The mark of a step's state, as in the output of calls.
import type {ProgramStepRecord} from '@lumenflow/schemas';
import type {Style} from '../rendering/style.ts';

export function stepMark(state: ProgramStepRecord['state'] | undefined, style: Style): string {
  if (state === undefined) return style.dim('○');
  return marks[state](style);
}

const marks: Readonly<Record<ProgramStepRecord['state'], (style: Style) => string>> = {
  running: (style) => style.accent('▸'),
  waiting: (style) => style.warning('●'),
  ambiguous: (style) => style.warning('?'),
  succeeded: (style) => style.good('✔'),
  failed: (style) => style.bad('✘'),
};
