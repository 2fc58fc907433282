// The changes of a call, their state, and the actions on them.
import type {HttpChanges, HttpReceipt} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Diff} from './diff.tsx';
import {Facts, Loaded, ReceiptLink, Section, shortId} from './elements.tsx';
import {Revert} from './revert.tsx';
import {Settle} from './settle.tsx';
import {useResource} from './page-session.ts';

export function Changes({receipt}: {readonly receipt: HttpReceipt}): JSX.Element {
  const changes = useResource<HttpChanges>(`/v1/evidence/${encodeURIComponent(receipt.receipt_id)}/changes`);
  return (
    <Section title="Changes">
      <Loaded from={changes}>{(of) => <ShownChanges of={of} receipt={receipt} onSettled={changes.reload} />}</Loaded>
    </Section>
  );
}

interface ShownProps {
  readonly of: HttpChanges;
  readonly receipt: HttpReceipt;
  onSettled(): void;
}

function ShownChanges({of, receipt, onSettled}: ShownProps): JSX.Element {
  const {state, recorded, settled_by, reason, conflicts, reverted_by, files} = of;
  return (
    <>
      <Facts
        of={{
          state: recorded.dry_run ? `${state}, by a dry run` : state,
          'settled by': settled_by,
          reason,
          conflicts: conflicts?.join(', '),
          reverts: recorded.reverts && <ReceiptLink id={recorded.reverts} />,
          'reverted by': reverted_by && <ReceiptLink id={reverted_by} />,
          paths: String(recorded.count),
          digest: <code>{shortId(recorded.digest)}</code>,
        }}
      />
      <Diff of={files} />
      {state === 'applied' && reverted_by === undefined && (
        <Revert receiptId={receipt.receipt_id} lane={receipt.started.lane_id} />
      )}
      <Settle of={of} onDone={onSettled} />
    </>
  );
}
