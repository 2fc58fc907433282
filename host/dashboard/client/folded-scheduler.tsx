// The calls or tasks of the scheduler as one row. The host looks for due agent sessions with them.
import type {JSX} from 'preact';
import {useFilter} from './place.ts';

const tool = 'agent-schedule:due';

/** The caller to leave out of a list; undefined if a person wants to see its calls. */
export function useFoldedCaller(): string | undefined {
  const [folding] = useFilter('scheduler');
  return folding === '' ? 'agent-scheduler' : undefined;
}

/** `count` is undefined if they are among the others. */
export function FoldedScheduler({count}: {readonly count: number | undefined}): JSX.Element | null {
  const [, setFolding] = useFilter('scheduler');
  if (count === 0) return null;
  return (
    <p class="folded">
      <code>{tool}</code> <span class="quiet">{count === undefined ? 'shown' : `×${count.toLocaleString('en')}`}</span>
      <button type="button" class="plain" onClick={() => setFolding(count === undefined ? '' : 'shown')}>
        {count === undefined ? 'Fold' : 'Show'}
      </button>
    </p>
  );
}
