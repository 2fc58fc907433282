// Checks that snapshots equal a replay of the log.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {Slice} from '../events/slice.ts';
import {readSnapshot, snapshotName} from '../events/snapshot.ts';
import type {LogFinding} from './log-finding.ts';
import {foldSlice} from './fold-slice.ts';
import type {WholeLog} from './read-whole-log.ts';

export async function checkSnapshots(
  context: Pick<ToolContext, 'state' | 'stateNames'>,
  slices: readonly Slice<unknown, never>[],
  {events, size}: Pick<WholeLog, 'events' | 'size'>,
): Promise<readonly LogFinding[]> {
  const findings: LogFinding[] = [];
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

function unreadable(subject: string): LogFinding {
  const message = 'it has another version or is unreadable: every read replays the whole log';
  return {code: 'SNAPSHOT_UNREADABLE', severity: 'warning', subject, message, fix: 'run `state:rebuild` to rewrite it'};
}

function wrong(subject: string, message: string): LogFinding {
  return {code: 'SNAPSHOT_WRONG', severity: 'error', subject, message, fix: 'run `state:rebuild` to rewrite it'};
}

function unknown(subject: string): LogFinding {
  const message = 'this version of the pack does not read it';
  return {code: 'STATE_UNKNOWN', severity: 'warning', subject, message, fix: 'run `state:cleanup` to remove it'};
}
