import {join} from 'node:path';
import {SandboxError} from '../sandbox-error.ts';

const receiptPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The folder of one call's changes. Throws for what is not a receipt id. */
export function parkedCallFolder(all: string, receiptId: string): string {
  if (!receiptPattern.test(receiptId))
    throw new SandboxError('BROKEN_INVARIANT', `\`${receiptId}\` is not a valid receipt id`);
  return join(all, receiptId);
}
