// Changes that are not applied yet: they need approval, or they conflict with other changes.
import type {HttpKeptChangesPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Badge, Loaded, ReceiptLink} from '../elements.tsx';
import {useResource} from '../session.ts';

const shownMax = 200;
const changesEvents = /^(?:approval|changes)_/;

export function KeptChangesPage(): JSX.Element {
  const query = new URLSearchParams({unsettled: 'true', limit: String(shownMax)});
  const list = useResource<HttpKeptChangesPage>(`/v1/changes?${query}`, changesEvents);
  return (
    <Loaded from={list}>
      {({changes, total}) =>
        changes.length === 0 ? (
          <p class="empty">No changes to settle.</p>
        ) : (
          <section class="card">
            <ul aria-label="Kept changes" class="kept">
              {changes.map(({receipt_id, state, conflicts = [], reason}) => (
                <li key={receipt_id}>
                  <Badge of={state} /> <ReceiptLink id={receipt_id} /> {reason ?? conflicts.join(', ')}
                </li>
              ))}
              {total > changes.length && <li class="quiet">and {total - changes.length} more</li>}
            </ul>
          </section>
        )
      }
    </Loaded>
  );
}
