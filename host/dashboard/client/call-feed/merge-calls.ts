// One list of calls, newest first, with the newest version of each: live data is newer than loaded data.
import type {HttpReceipt} from '@lumenflow/schemas';

export const rowsMax = 100;

export function mergeCalls(live: readonly HttpReceipt[], loaded: readonly HttpReceipt[]): readonly HttpReceipt[] {
  const byId = new Map([...loaded, ...live].map((receipt) => [receipt.receipt_id, receipt]));
  return [...byId.values()].toSorted((one, other) => other.started.seq - one.started.seq).slice(0, rowsMax);
}
