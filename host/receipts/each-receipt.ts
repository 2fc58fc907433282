// Reads receipts of the evidence log page by page, the newest first.
import type {EvidenceFilter, KernelRuntime, Receipt} from '@lumenflow/kernel';

const pageLength = 500;

export async function* eachReceipt(
  {evidence}: Pick<KernelRuntime, 'evidence'>,
  filter: Pick<EvidenceFilter, 'since' | 'until'>,
): AsyncGenerator<Receipt> {
  let before_seq: number | undefined;
  do {
    const page = await evidence.readTraces({...filter, limit: pageLength, before_seq});
    yield* page.receipts;
    before_seq = page.next_before_seq;
  } while (before_seq !== undefined);
}
