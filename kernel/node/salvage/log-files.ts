// Where a log and what is derived from it are, in a state on files.
import {validateEvent, validateEvidenceRecord} from '@lumenflow/schemas/validators';
import {join} from 'node:path';
import type {LogName} from '../log/log-name.ts';

export interface LogFiles {
  /** Its segments. */
  readonly folder: string;
  /** Its checkpoints, and hashes of its tree. */
  readonly tree: string;
  /** Whether a value is a line of this log. */
  readonly isLine: (value: unknown) => boolean;
}

export function logFilesOf(stateFolder: string, log: LogName): LogFiles {
  const folder = log === 'events' ? join(stateFolder, 'events') : join(stateFolder, 'evidence', 'traces');
  const isLine = log === 'events' ? validateEvent : validateEvidenceRecord;
  return {folder, tree: join(stateFolder, 'evidence', 'tree', log), isLine: (value) => isLine(value)};
}
