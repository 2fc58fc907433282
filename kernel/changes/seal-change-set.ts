// Makes a value of changed entries: what it was made to and what it is, each with a digest that anybody can compute.
import type {ChangeEntry, ChangeSet, EntryState} from '@lumenflow/schemas';
import {canonicalJson} from '../evidence/canonical-json.ts';
import type {Digest} from '../ports.ts';

/** `entries` in any order. */
export function sealChangeSet(entries: readonly ChangeEntry[], {sha256}: Digest): ChangeSet {
  const sorted = entries.toSorted((a, b) => compareBytes(a.path, b.path));
  const base = sha256(canonicalJson(sorted.flatMap(baseOf)));
  return {base, entries: sorted, digest: sha256(canonicalJson({base, entries: sorted.map(withoutRefs)}))};
}

function baseOf({path, op, from, before}: ChangeEntry): readonly (readonly [string, EntryState])[] {
  const was = op === 'rename' && from !== undefined ? from : path;
  return before === undefined ? [] : [[was, withoutRef(before)]];
}

function withoutRefs(entry: ChangeEntry): ChangeEntry {
  const {before, after} = entry;
  return {
    ...entry,
    ...(before !== undefined && {before: withoutRef(before)}),
    ...(after !== undefined && {after: withoutRef(after)}),
  };
}

function withoutRef(state: EntryState): EntryState {
  const bare = {...state};
  delete bare.content_ref;
  return bare;
}

/** UTF-8 orders texts by their code points; JavaScript by UTF-16 units, which differs above U+FFFF. */
function compareBytes(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  if (index === one.length || index === other.length) return one.length - other.length;
  return weight(one.charCodeAt(index)) - weight(other.charCodeAt(index));
}

/** Surrogates encode the code points above all others. */
function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
