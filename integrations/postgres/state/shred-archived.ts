// Destroys contents in the archive. Objects are immutable, so one without the contents replaces the object that has them; the database names it
// before the old one is deleted.
import {putAndCompare, sha256Hex, shredPack} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';
import type {ArchivedObjects} from './archived-objects.ts';

export interface ArchivedShredding {
  readonly database: Database;
  readonly objects: ArchivedObjects;
  /** Runs before contents of a pack are destroyed, in the same transaction. It can drop some that are needed again. */
  readonly dropNeeded?: ((ask: Ask) => Promise<void>) | undefined;
}

export type Ask = Parameters<Parameters<Database['transact']>[0]>[0];

interface PackRow {
  readonly name: string;
  readonly archive: string;
  readonly key: string;
  readonly sha256: string;
}

/** By hash, the refs that led to a copy. Must run alone. Rejects with KernelError LOG_UNAVAILABLE, LOG_CORRUPT. */
export async function shredArchived(
  parts: ArchivedShredding,
  hashes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  await deleteSuperseded(parts);
  const {database} = parts;
  const rows = await database.ask<{ref: string; hash: string; pack: string}>({
    text: 'select ref, hash, pack from contents where hash = any($1) and pack is not null order by pack',
    values: [[...hashes]],
  });
  for (const name of new Set(rows.map(({pack}) => pack))) await shredIn(parts, name, hashes);
  if (rows.length > 0) await deleteSuperseded(parts);
  const refs = new Map<string, string[]>();
  for (const {ref, hash} of rows) if (hashes.has(hash)) refs.set(hash, [...(refs.get(hash) ?? []), ref]);
  return refs;
}

async function shredIn(parts: ArchivedShredding, name: string, hashes: ReadonlySet<string>): Promise<void> {
  const {database, objects} = parts;
  const [pack] = await database.ask<PackRow>({
    text: 'select name, archive, key, sha256 from archived_packs where name = $1 and key is not null',
    values: [name],
  });
  if (pack === undefined) return;
  const store = objects.needed(pack.archive);
  // A copy, because others may still read the one that is remembered.
  const bytes = Buffer.from(await objects.get(pack));
  const shredded = await shredPack(bytes, name, hashes);
  if (shredded === undefined) return;
  const sha256 = sha256Hex(shredded.bytes);
  const key = shredded.isEmpty ? null : `contents/${name}-${sha256}`;
  if (key !== null) await putAndCompare(store, key, shredded.bytes);
  const isDone = await database.transact(async (ask) => {
    const {size} = hashes;
    await parts.dropNeeded?.(ask);
    if (hashes.size < size) return false;
    const values = [name, pack.key, key, sha256, shredded.bytes.length, [...hashes]];
    await ask({text: 'select replace_pack($1, $2, $3, $4, $5, $6)', values});
    return true;
  });
  if (isDone) objects.forget(pack.key);
  else {
    if (key !== null) await store.delete(key);
    await shredIn(parts, name, hashes);
  }
}

/** Objects that have destroyed contents, or that an interrupted archiving left. */
export async function deleteSuperseded({database, objects}: ArchivedShredding): Promise<void> {
  const rows = await database.ask<{name: string; archive: string; superseded: readonly string[]}>({
    text: `select name, archive, superseded from archived_packs where superseded <> '{}' order by name`,
  });
  for (const {name, archive, superseded} of rows) {
    const store = objects.needed(archive);
    for (const key of superseded) {
      await store.delete(key);
      objects.forget(key);
    }
    await database.ask({text: 'select forget_objects($1, $2)', values: [name, superseded]});
  }
}
