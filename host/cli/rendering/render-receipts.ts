// Renders recorded calls as a table, newest first.
import type {Receipt} from '@lumenflow/kernel';
import {shortIdLength} from './short-id-length.ts';
import {renderTable} from './render-table.ts';
import {renderDuration, renderTime} from './render-time.ts';
import {paintOf, type Style} from './style.ts';

export function renderReceipts(receipts: readonly Receipt[], style: Style): string {
  const now = Date.now();
  const resultOf = ({finished}: Receipt): string => finished?.result ?? 'open';
  return renderTable(
    receipts,
    [
      {title: 'WHEN', cell: ({started}) => renderTime(started.timestamp, now), paint: () => style.dim},
      {title: 'TOOL', cell: ({started}) => started.tool_name, shrinksTo: 14, paint: () => style.bold},
      {title: 'WHO', cell: ({started}) => started.by ?? '', shrinksTo: 6},
      {title: 'RESULT', cell: resultOf, paint: (receipt) => paintOf(style, resultOf(receipt))},
      {title: 'WHY', cell: ({finished}) => finished?.error_code ?? '', shrinksTo: 8},
      {title: 'TOOK', cell: ({finished}) => (finished ? renderDuration(finished.duration_ms) : ''), align: 'right'},
      {title: 'RECEIPT', cell: ({receipt_id}) => receipt_id.slice(0, shortIdLength)},
    ],
    style,
  );
}
