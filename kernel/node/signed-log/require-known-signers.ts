// Hosts that share a log verify each other's checkpoints. One that signed with a key that the others do not know would make intact
// records look tampered with.
import {KernelError} from '@lumenflow/kernel';
import {openNote} from '@lumenflow/kernel/adapters';
import type {WorkspaceLogs} from './log-reader.ts';
import {parseVerifierKey, type SigningKeys} from './note-key.ts';

/** Rejects with KernelError LOAD_FAILED if no known key signed the newest checkpoint of a log. */
export async function requireKnownSigners(
  {events, traces}: WorkspaceLogs,
  {verifierKeys}: Pick<SigningKeys, 'verifierKeys'>,
): Promise<void> {
  const verifiers = verifierKeys().flatMap((key) => parseVerifierKey(key) ?? []);
  for (const {checkpoints} of [events, traces]) {
    const newest = (await checkpoints.sizes()).at(-1);
    if (newest === undefined) continue;
    if (openNote((await checkpoints.read(newest)) ?? '', verifiers) !== undefined) continue;
    throw new KernelError(
      'LOAD_FAILED',
      `${checkpoints.where(newest)}: no key in \`.lumenflow/keys/evidence.pub\` signed it: copy \`.lumenflow/keys\` from another host, or append its \`evidence.pub\` to the one here`,
    );
  }
}
