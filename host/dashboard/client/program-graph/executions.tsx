// What a step did: its receipt, what it waits for, its failure; for a step within a loop, of each execution.
import type {ProgramStepRecord} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Badge, ReceiptLink} from '../elements.tsx';

/** More would not be read, and a loop can have a thousand. */
const shownMax = 100;

export function Executions({of: records}: {readonly of: readonly ProgramStepRecord[]}): JSX.Element | null {
  const [first] = records;
  if (first === undefined) return null;
  if (records.length === 1) return <Execution of={first} />;
  return (
    <details>
      <summary>{records.length} times</summary>
      <ul>
        {records.slice(0, shownMax).map((record) => (
          <li key={record.step}>
            <small class="quiet">{indicesOf(record.step)}</small> <Badge of={record.state} /> <Execution of={record} />
          </li>
        ))}
        {records.length > shownMax && <li class="quiet">and {records.length - shownMax} more</li>}
      </ul>
    </details>
  );
}

function Execution({of: {receipt_id, request_id, state, error}}: {readonly of: ProgramStepRecord}): JSX.Element {
  return (
    <>
      {receipt_id !== undefined && <ReceiptLink id={receipt_id} />}
      {state === 'waiting' && request_id !== undefined && <a href="#/approvals">answer the request</a>}
      {error && (
        <small class="failure">
          <code>{error.code}</code> {error.message}
        </small>
      )}
    </>
  );
}

/** `/steps/1[2]/steps/0[7]` is the eighth of the third. */
function indicesOf(step: string): string {
  return [...step.matchAll(/\[(\d+)\]/gu)].map(([, index]) => `#${Number(index) + 1}`).join(' ');
}
