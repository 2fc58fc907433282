// Reads the input or output of a call, or explains why a recorded content is missing.
import type {RecordedEvidence} from '@lumenflow/kernel/node';

export interface RecordedContent {
  /** Canonical JSON; for a log, JSON Lines. */
  readonly text?: string;
  /** The reason why it is missing, for people. */
  readonly gone?: string;
}

/** What a record says of its content. */
export interface ContentOfRecord {
  readonly ref: string | undefined;
  readonly hash: string | undefined;
  readonly seq: number | undefined;
}

export async function readContent(
  {evidence, events}: RecordedEvidence,
  {ref, hash, seq = 0}: ContentOfRecord,
): Promise<RecordedContent> {
  if (ref === undefined) return {};
  const text = await evidence.readBlob(ref);
  if (text !== undefined) return {text};
  for (const event of await events.read({types: ['evidence_redacted', 'evidence_lost', 'evidence_expired']})) {
    if (event.type === 'evidence_redacted' && event.hashes.some((gone) => gone === hash))
      return {gone: `redacted by ${event.actor} at ${event.timestamp}: ${event.reason}`};
    if (event.type === 'evidence_lost' && event.contents.some((lost) => lost.ref === ref))
      return {gone: 'lost in a power failure before it was on disk'};
    if (event.type === 'evidence_expired' && seq <= event.through_seq)
      return {gone: `deleted by the rule \`${event.rule}\` at ${event.timestamp}`};
  }
  return {gone: 'missing: `lumenflow evidence verify` lists everything that is missing'};
}
