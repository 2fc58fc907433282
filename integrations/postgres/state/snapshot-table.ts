// Snapshots of the state in the database, so that a host that starts reads only later events.
import {sha256Hex} from '@lumenflow/kernel/node';
import type {LinePosition} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';

export interface FoundSnapshot {
  readonly position: LinePosition;
  readonly throughSeq: number;
  readonly sha256: string;
  readonly text: string;
}

/** From the newest on. */
export async function readSnapshots(database: Database): Promise<readonly FoundSnapshot[]> {
  const rows = await database.ask<{through_seq: string; head: string; text: string}>({
    text: 'select through_seq, head, text from snapshots order by through_seq desc',
  });
  return rows.map(({through_seq, head, text}) => {
    const position = {seq: Number(through_seq), head};
    return {position, throughSeq: position.seq, sha256: hashOf(position, text), text};
  });
}

/** Returns the hash of what is stored. */
export async function writeSnapshot(database: Database, position: LinePosition, text: string): Promise<string> {
  const {seq, head} = position;
  await database.ask({text: 'select keep_snapshot($1, $2, $3)', values: [seq, head, text]});
  return hashOf(position, text);
}

function hashOf({seq, head}: LinePosition, text: string): string {
  return sha256Hex(`${JSON.stringify({seq, head})}\n${text}`);
}
