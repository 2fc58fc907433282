// Changes that are not applied yet: they need approval, or they conflict with other changes.
import type {HttpKeptChangesPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {matchesWords} from '../../../text/matches-words.ts';
import {Badge, Loaded, ReceiptLink} from '../elements.tsx';
import {FilterBar} from '../filter-bar.tsx';
import {useFilter} from '../place.ts';
import {useResource} from '../page-session.ts';

const shownMax = 200;
const changesEvents = /^(?:approval|changes)_/;

export function KeptChangesPage(): JSX.Element {
  const query = new URLSearchParams({unsettled: 'true', limit: String(shownMax)});
  const list = useResource<HttpKeptChangesPage>(`/v1/changes?${query}`, changesEvents);
  const [text] = useFilter('text');
  return (
    <>
      <FilterBar of="state, receipt, path or reason" />
      <Loaded from={list}>
        {({changes, total}) => {
          const shown = changes.filter(({receipt_id, state, conflicts = [], reason}) =>
            matchesWords(text, [receipt_id, state, reason, ...conflicts]),
          );
          if (shown.length === 0)
            return <p class="empty">{changes.length === 0 ? 'No changes to settle.' : 'No change matches.'}</p>;
          return (
            <section class="card">
              <ul aria-label="Kept changes" class="kept">
                {shown.map(({receipt_id, state, conflicts = [], reason}) => (
                  <li key={receipt_id}>
                    <Badge of={state} /> <ReceiptLink id={receipt_id} /> {reason ?? conflicts.join(', ')}
                  </li>
                ))}
                {total > changes.length && <li class="quiet">and {total - changes.length} more</li>}
              </ul>
            </section>
          );
        }}
      </Loaded>
    </>
  );
}
