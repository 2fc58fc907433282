// What the events that are here say of archived segments. Their chain is not checked: they only keep a salvage from cutting lines that may
// be in the archive.
import type {KernelEvent} from '@lumenflow/schemas';
import {validateEvent} from '@lumenflow/schemas/validators';
import {existsSync, readFileSync} from 'node:fs';
import type {LogName} from '../log/log-name.ts';
import {listSegments, segmentPath} from '../log/segment-files.ts';
import {logFilesOf} from './log-files.ts';

type EvidenceArchived = Extract<KernelEvent, {readonly type: 'evidence_archived'}>;

export function archivedEvents({
  stateFolder,
  log,
}: {
  readonly stateFolder: string;
  readonly log: LogName;
}): readonly EvidenceArchived[] {
  const {folder} = logFilesOf(stateFolder, 'events');
  const segments = existsSync(folder) ? listSegments(folder) : [];
  const lines = segments.flatMap((first) => readFileSync(segmentPath(folder, first), 'utf8').split('\n'));
  return lines
    .filter((line) => line.includes('"type":"evidence_archived"'))
    .flatMap(eventIn)
    .filter((event) => event.log === log);
}

function eventIn(line: string): readonly EvidenceArchived[] {
  try {
    const value: unknown = JSON.parse(line);
    return validateEvent(value) ? [value as EvidenceArchived] : [];
  } catch {
    // The search for damage reports it.
    return [];
  }
}
