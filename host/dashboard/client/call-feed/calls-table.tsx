// A page of calls as a table, or as cards on a phone.
import type {HttpReceipt} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Table, Time, Verdict} from '../elements.tsx';
import {whyOfCall} from './why-of-call.ts';

export function CallsTable({of}: {readonly of: readonly HttpReceipt[]}): JSX.Element {
  return (
    <Table name="calls" titles={['Result', 'Tool', 'Lane', 'Why', {number: 'Took'}, 'Time']}>
      {of.map((receipt) => (
        <tr key={receipt.receipt_id}>
          <td>
            <Verdict receipt={receipt} />
          </td>
          <td>
            <a href={`#/receipts/${encodeURIComponent(receipt.receipt_id)}`}>{receipt.started.tool_name}</a>
          </td>
          <td>{receipt.started.lane_id ?? '–'}</td>
          <td class="why">
            <span>{whyOfCall(receipt)}</span>
          </td>
          <td class="number">{receipt.finished ? `${Math.round(receipt.finished.duration_ms)} ms` : '…'}</td>
          <td>
            <Time at={receipt.started.timestamp} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
