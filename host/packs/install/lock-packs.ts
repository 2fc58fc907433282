// Updates the lock after an installation with the packs' origins and hashes. Terms of tools are added only on first use of a
// pack; changed terms need a person's approval.
import type {LockedPack, LockedTool, PackPin, ToolTerms} from '@lumenflow/schemas';
import type {PackLoad} from '../load-pack.ts';
import {originOf, resolvedOf, type LockedPacks} from '../lock/packs-lock.ts';
import {digestOf} from '../lock/tool-terms.ts';

/** The entry of a pack that was loaded as pinned; undefined when it was not. */
export function lockEntry(pin: PackPin, load: PackLoad, lock: LockedPacks): LockedPack | undefined {
  const {manifest, integrity, files, isInstalled, review, terms} = load;
  if (!manifest || !review || !terms || integrity === undefined) return undefined;
  if (pin.integrity !== 'dev' && pin.integrity !== integrity) return undefined;
  const before = lock.packs.get(pin.id);
  const resolved = resolvedOf(pin, lock);
  const isTrustedOnFirstUse = review.changes.length === 0;
  return {
    version: manifest.version,
    source: pin.source,
    from: originOf(pin),
    ...(resolved !== undefined && {resolved}),
    integrity,
    ...(isInstalled === true && files !== undefined && {files}),
    ...approvalOf(before),
    tools: before?.tools ?? (isTrustedOnFirstUse ? lockedTools(terms) : {}),
  };
}

function approvalOf(entry: LockedPack | undefined): Pick<LockedPack, 'approved_by' | 'approved_at'> {
  const {approved_by, approved_at} = entry ?? {};
  return {...(approved_by !== undefined && {approved_by}), ...(approved_at !== undefined && {approved_at})};
}

export function lockedTools(terms: ReadonlyMap<string, ToolTerms>): Readonly<Record<string, LockedTool>> {
  const sorted = [...terms].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, its]) => [name, {digest: digestOf(its), terms: its}]));
}
