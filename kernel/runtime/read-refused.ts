// The calls that something was refused: found among all that fit the rest of the filter, newest first.
import type {EvidenceFilter, EvidencePage, Receipt} from '../ports.ts';
import {refusalsOf} from '../evidence/index.ts';

const receiptsAtOnce = 500;

export async function readRefused(
  read: (filter: EvidenceFilter) => Promise<EvidencePage>,
  {limit = 100, ...filter}: EvidenceFilter,
): Promise<EvidencePage> {
  const found: Receipt[] = [];
  let before = filter.before_seq;
  do {
    const page = await read({...filter, limit: receiptsAtOnce, before_seq: before});
    for (const receipt of page.receipts) {
      if (refusalsOf(receipt.finished).length === 0) continue;
      found.push(receipt);
      if (found.length === limit) return {receipts: found, next_before_seq: receipt.started.seq};
    }
    before = page.next_before_seq;
  } while (before !== undefined);
  return {receipts: found};
}
