// Finds a receipt by its id or a prefix of it.
import type {Receipt} from '@lumenflow/kernel';
import type {RecordedEvidence} from '@lumenflow/kernel/node';
import {CliError} from '../failures/cli-error.ts';
import {findByPrefix} from './find-by-prefix.ts';

/** A prefix is searched for in this number of the newest receipts. */
const receiptsSearched = 10_000;

/** Throws CliError RECEIPT_NOT_FOUND. */
export async function findReceipt({evidence}: Pick<RecordedEvidence, 'evidence'>, id: string): Promise<Receipt> {
  const exact = await evidence.receipt(id);
  if (exact) return exact;
  const {receipts} = await evidence.readTraces({limit: receiptsSearched});
  const found = id === '' ? undefined : findByPrefix(id, receipts, ({receipt_id}) => receipt_id);
  if (found) return found;
  throw new CliError('RECEIPT_NOT_FOUND', `there is no receipt \`${id}\``, {
    help: '`lumenflow evidence list` shows the newest',
  });
}
