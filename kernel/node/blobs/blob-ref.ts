// How a record refers to a blob: a separate file under `inputs/`, or a range of a pack there.

export type BlobLocation =
  | {readonly kind: 'file'; readonly hash: string}
  | {readonly kind: 'packed'; readonly pack: string; readonly offset: number; readonly length: number};

const pattern = /^inputs\/(?:([0-9a-f]{64})|(pack-[0-9a-f]{12}):([0-9]{1,15}):([0-9]{1,9}))$/u;

export function formatBlobRef(location: BlobLocation): string {
  return location.kind === 'file'
    ? `inputs/${location.hash}`
    : `inputs/${location.pack}:${location.offset}:${location.length}`;
}

/** Undefined for a text that is not a reference. It never follows a path in it. */
export function parseBlobRef(ref: string): BlobLocation | undefined {
  const [, hash, pack, offset, length] = pattern.exec(ref) ?? [];
  if (hash !== undefined) return {kind: 'file', hash};
  return pack === undefined ? undefined : {kind: 'packed', pack, offset: Number(offset), length: Number(length)};
}

const names = /"inputs\/([0-9a-f]{64}|pack-[0-9a-f]{12})/gu;

/** The files, within `inputs/`, that a record's line refers to; now and then one that only its texts speak of. */
export function blobFileNames(line: Buffer): readonly string[] {
  if (!line.includes('"inputs/')) return [];
  return [...line.toString('latin1').matchAll(names)].map(([, name]) => name ?? '');
}

const header = /^([0-9a-f]{64}) ([0-9]{1,9})\n/u;

/** The header at a location of a pack, and its own length; undefined when there is none. */
export function parsePackHeader(
  pack: Buffer,
  at: number,
): {readonly hash: string; readonly length: number; readonly bytes: number} | undefined {
  const [all, hash, length] = header.exec(pack.toString('latin1', at, at + 80)) ?? [];
  return hash === undefined || length === undefined
    ? undefined
    : {hash, length: Number(length), bytes: all?.length ?? 0};
}

/** The header of a packed blob. A newline follows the blob's bytes. */
export function packHeader(hash: string, length: number): string {
  return `${hash} ${length}\n`;
}
