// A page of calls as a table, or as cards on a phone.
import type {HttpReceipt} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Time, Verdict} from '../elements.tsx';
import {whyOfCall} from './why-of-call.ts';

export function CallsTable({of}: {readonly of: readonly HttpReceipt[]}): JSX.Element {
  return (
    <table class="calls">
      <thead>
        <tr>
          <th scope="col">Result</th>
          <th scope="col">Tool</th>
          <th scope="col">Lane</th>
          <th scope="col">Why</th>
          <th scope="col" class="number">
            Took
          </th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  );
}
