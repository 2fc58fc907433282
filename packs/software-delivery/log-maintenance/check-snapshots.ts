// Checks that snapshots equal a replay of the log.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {Slice} from '../events/slice.ts';
import {readSnapshot, snapshotName} from '../events/snapshot.ts';
import {byDoctor, type DoctorFinding} from './doctor-finding.ts';
import {foldSlice} from './fold-slice.ts';
import type {WholeLog} from './read-whole-log.ts';

export async function checkSnapshots(
  context: Pick<ToolContext, 'state' | 'stateNames'>,
  slices: readonly Slice<unknown, never>[],
  {events, size}: Pick<WholeLog, 'events' | 'size'>,
): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const names = new Set(await context.stateNames('snapshots/'));
  for (const slice of slices) {
    const name = snapshotName(slice.name);
    if (!names.delete(name)) continue;
    const snapshot = await readSnapshot(context.state(name), slice);
    if (snapshot === undefined) findings.push(unreadable(name));
    else if (snapshot.offset > size) findings.push(wrong(name, 'it belongs to a longer log than the current one'));
    else if (!isSame(snapshot.state, foldSlice(slice, events, snapshot.offset))) {
      findings.push(wrong(name, 'it disagrees with the log'));
    }
  }
  return [...findings, ...[...names].map(unknown)];
}

/** Compared as JSON, the format of snapshots. */
function isSame(kept: unknown, folded: unknown): boolean {
  return JSON.stringify(kept) === JSON.stringify(JSON.parse(JSON.stringify(folded)));
}

function unreadable(subject: string): DoctorFinding {
  const message = 'it has another version or is unreadable: every read replays the whole log';
  return {...fixable, code: 'SNAPSHOT_UNREADABLE', severity: 'warning', subject, message};
}

function wrong(subject: string, message: string): DoctorFinding {
  return {...fixable, code: 'SNAPSHOT_WRONG', severity: 'error', subject, message};
}

function unknown(subject: string): DoctorFinding {
  const message = 'this version of the pack does not read it';
  return {...fixable, code: 'STATE_UNKNOWN', severity: 'warning', subject, message};
}

const fixable = {area: 'log', fix: byDoctor, fixable: true} as const;
