// Reads a stored text by its reference.
import {KernelError} from '@lumenflow/kernel';
import {readBlob} from './read-blob.ts';

/** Undefined when it is missing; throws KernelError LOG_CORRUPT when it is not what was put, and NeedsArchive. */
export function readText(folder: string, ref: string): string | undefined {
  const reading = readBlob(folder, ref);
  if (reading.kind === 'found') return reading.bytes.toString();
  if (reading.kind !== 'changed') return undefined;
  throw new KernelError('LOG_CORRUPT', `the blob \`${ref}\` is not what was recorded: its hash is wrong`);
}
