// Searches the log for calls, newest first. One search reads a bounded number of calls, so that a filter that matches nothing does
// not read a long log in one request.
import type {EvidenceFilter, KernelRuntime, Receipt} from '@lumenflow/kernel';
import {isLeftOut, matchesCall, type CallSearch} from '../../receipts/matches-call.ts';

const receiptsAtOnce = 500;
const searchedMax = 10_000;

export interface CallSearchPage {
  readonly receipts: readonly Receipt[];
  /** Matching calls of the caller in `without_by`. */
  readonly left_out: number;
  /** Calls that were compared with the search. */
  readonly searched: number;
  /** `before_seq` of the next page; absent at the start of the log. */
  readonly next_before_seq?: number;
}

export async function searchCalls(
  {evidence}: Pick<KernelRuntime, 'evidence'>,
  {limit = 100, ...filter}: EvidenceFilter & {readonly refused?: boolean},
  search: CallSearch,
): Promise<CallSearchPage> {
  const receipts: Receipt[] = [];
  let [left_out, searched] = [0, 0];
  let before = filter.before_seq;
  do {
    const from = before !== undefined && {before_seq: before};
    const page = await evidence.readTraces({...filter, limit: searched === 0 ? limit : receiptsAtOnce, ...from});
    for (const receipt of page.receipts) {
      searched += 1;
      if (!matchesCall(receipt, search)) continue;
      if (isLeftOut(receipt, search)) left_out += 1;
      else receipts.push(receipt);
      if (receipts.length === limit) return {receipts, left_out, searched, next_before_seq: receipt.started.seq};
    }
    before = page.next_before_seq;
  } while (before !== undefined && searched < searchedMax);
  return {receipts, left_out, searched, ...(before !== undefined && {next_before_seq: before})};
}
