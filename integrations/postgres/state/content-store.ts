// Contents by their SHA-256, put in groups.
import {isKernelError, KernelError} from '@lumenflow/kernel';
import {RecentMap, type ContentStore} from '@lumenflow/kernel/adapters';
import {sha256Hex, type ContentReading} from '@lumenflow/kernel/node';
import {randomBytes} from 'node:crypto';
import type {Database} from '../connection/database.ts';
import type {ArchiveLock} from './archive-lock.ts';
import {shredArchived, type Ask} from './shred-archived.ts';
import type {ArchivedObjects} from './archived-objects.ts';

/** Contents whose ref is remembered, so that the same input is sent once. */
const rememberedMax = 2_048;
/** PostgreSQL takes values up to 1 GiB, and the client library needs a copy of each. */
const contentBytesMax = 256 * 1024 * 1024;

/** Appending nothing locks the head of the records until the end of the transaction. */
const lockRecords = `select append_records(gen_random_uuid(), '', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`;

/** Locks the head of the events as long, and appends nothing: it expects no log of this length. */
const lockEvents = `select append_events(gen_random_uuid(), '', -1, '{}')`;

/** Sent with one statement, unless a single content is larger. */
const groupBytesMax = 8 * 1024 * 1024;

type Found =
  | {readonly kind: 'found'; readonly hash: string; readonly bytes: Buffer}
  | {readonly kind: 'shredded'; readonly hash: string; readonly bytes?: undefined}
  | {readonly kind: 'missing' | 'changed'; readonly hash?: undefined; readonly bytes?: undefined};

interface ContentRow {
  readonly hash: string;
  readonly bytes: Buffer | null;
  readonly pack: string | null;
  readonly pack_offset: string | null;
  readonly pack_length: string | null;
  readonly archive: string | null;
  readonly key: string | null;
  readonly sha256: string | null;
}

interface Stored {
  readonly hash: string;
  readonly ref: string;
}

interface Waiting {
  readonly hash: string;
  readonly bytes: Buffer;
  readonly resolve: (stored: Stored) => void;
  readonly reject: (error: unknown) => void;
}

export class PostgresContentStore implements ContentStore {
  readonly #database: Database;
  readonly #objects: ArchivedObjects;
  readonly #lock: ArchiveLock;
  readonly #remembered = new RecentMap<string, Stored>(rememberedMax);
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #isClosed = false;

  constructor(database: Database, objects: ArchivedObjects, lock: ArchiveLock) {
    this.#database = database;
    this.#objects = objects;
    this.#lock = lock;
  }

  async put(text: string): Promise<Stored> {
    if (this.#isClosed) throw closed();
    const hash = sha256Hex(text);
    const known = this.#remembered.get(hash);
    if (known !== undefined) return known;
    const bytes = Buffer.from(text);
    if (bytes.length > contentBytesMax) {
      throw new KernelError(
        'LOG_UNAVAILABLE',
        `a content has ${bytes.length} bytes, and the database takes ${contentBytesMax}`,
      );
    }
    return await new Promise((resolve, reject) => {
      this.#waiting.push({hash, bytes, resolve, reject});
      this.#sending ??= Promise.resolve().then(() => this.#send());
    });
  }

  async get(ref: string): Promise<string | undefined> {
    const {kind, bytes} = await this.#find(ref);
    if (kind === 'found') return bytes.toString();
    if (kind !== 'changed') return undefined;
    throw new KernelError('LOG_CORRUPT', `the content \`${ref}\` is not what was recorded: its hash is wrong`);
  }

  /** For verification, which distinguishes what is missing. */
  async read(ref: string): Promise<ContentReading> {
    const {kind, hash} = await this.#find(ref).catch(changedIfCorrupt);
    return kind === 'found' || kind === 'shredded' ? {kind, hash} : {kind};
  }

  async shred(hash: string): Promise<readonly string[]> {
    return (await this.#shred(new Set([hash]))).get(hash) ?? [];
  }

  /** While it looks for newer calls and requests and deletes, no host appends records or events. */
  async shredUnneeded(hashes: Set<string>, dropNeeded: () => Promise<void>): Promise<number> {
    return (await this.#shred(hashes, dropNeeded)).size;
  }

  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.#remembered.delete(hash);
  }

  forgetAll(): void {
    this.#remembered.clear();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#sending !== undefined) await this.#sending;
  }

  /** Here and in the archive. Returns by hash the refs that led to a copy. */
  async #shred(
    hashes: ReadonlySet<string>,
    dropNeeded?: () => Promise<void>,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (this.#isClosed) throw closed();
    for (const hash of hashes) this.#remembered.delete(hash);
    const [database, objects] = [this.#database, this.#objects];
    const step =
      dropNeeded &&
      (async (ask: Ask): Promise<void> => {
        await ask({text: lockEvents});
        await ask({text: lockRecords});
        await dropNeeded();
      });
    return await this.#lock.alone(async () => {
      // Twice has the effect of once, but only the first has the refs: a repetition must not lose them.
      const here = await database.transact(async (ask) => {
        await step?.(ask);
        const values = [[...hashes]];
        const text = 'select hash, ref from contents where hash = any($1) and bytes is not null';
        const found = (await ask({text, values})) as readonly {readonly hash: string; readonly ref: string}[];
        await ask({text: 'select shred_content(hash) from unnest($1::text[]) as hash order by hash', values});
        return found;
      });
      const refs = new Map<string, readonly string[]>(
        await shredArchived({database, objects, dropNeeded: step}, hashes),
      );
      for (const {hash, ref} of here) refs.set(hash, [...(refs.get(hash) ?? []), ref]);
      return refs;
    });
  }

  async #find(ref: string): Promise<Found> {
    if (ref.includes('\u0000')) return {kind: 'missing'};
    let row = await this.#row(ref);
    for (;;) {
      if (row === undefined) return {kind: 'missing'};
      const {hash, pack, key, sha256, archive} = row;
      if (row.bytes !== null) return found(ref, hash, row.bytes);
      if (pack === null) return {kind: 'shredded', hash};
      if (key === null || sha256 === null || archive === null) return {kind: 'missing'};
      try {
        const bytes = await this.#objects.get({archive, key, sha256});
        const start = Number(row.pack_offset);
        return found(ref, hash, bytes.subarray(start, start + Number(row.pack_length)));
      } catch (error) {
        // The object may have been replaced by one without what was redacted.
        const now = await this.#row(ref);
        if (now?.key === key) throw error;
        row = now;
      }
    }
  }

  async #row(ref: string): Promise<ContentRow | undefined> {
    const [row] = await this.#database.ask<ContentRow>({
      name: 'get-content',
      text: `select c.hash, c.bytes, c.pack, c.pack_offset, c.pack_length, p.archive, p.key, p.sha256
        from contents c left join archived_packs p on p.name = c.pack where c.ref = $1`,
      values: [ref],
    });
    return row;
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      try {
        const refs = await this.#put(group);
        for (const [at, {hash, resolve}] of group.entries()) {
          const stored = {hash, ref: refs[at] ?? ''};
          this.#remembered.set(hash, stored);
          resolve(stored);
        }
      } catch (error) {
        for (const {reject} of group) reject(error);
      }
    }
    this.#sending = undefined;
  }

  /** At least one. */
  #nextGroup(): readonly Waiting[] {
    let bytes = 0;
    const tooMuch = this.#waiting.findIndex((waiting, at) => (bytes += waiting.bytes.length) > groupBytesMax && at > 0);
    return this.#waiting.splice(0, tooMuch < 0 ? this.#waiting.length : tooMuch);
  }

  async #put(group: readonly Waiting[]): Promise<readonly string[]> {
    // In one order everywhere: two hosts that store the same contents then wait for each other and not in a circle.
    const ordered = group.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
    const [row] = await this.#database.ask<{refs: readonly string[]}>({
      name: 'put-contents',
      text: 'select put_contents($1, $2, $3) as refs',
      values: [
        ordered.map(({hash}) => hash),
        ordered.map(({bytes}) => bytes),
        ordered.map(({bytes}) => packRef(bytes)),
      ],
    });
    const refs = new Map(ordered.map(({hash}, at) => [hash, row?.refs[at] ?? '']));
    return group.map(({hash}) => refs.get(hash) ?? '');
  }
}

/** The ref of a pack that has this content alone, so that it can also be a file. */
function packRef(bytes: Buffer): string {
  const headerBytes = `${'0'.repeat(64)} ${bytes.length}\n`.length;
  return `inputs/pack-${randomBytes(6).toString('hex')}:${headerBytes}:${bytes.length}`;
}

function found(ref: string, hash: string, bytes: Buffer): Found {
  return sha256Hex(bytes) === hash && nameSaysSo(ref, hash) ? {kind: 'found', hash, bytes} : {kind: 'changed'};
}

/** What the archive does not return unchanged is a finding, and no reason to stop. */
function changedIfCorrupt(error: unknown): Found {
  if (isKernelError(error) && error.code === 'LOG_CORRUPT') return {kind: 'changed'};
  throw error;
}

/** A ref that is a hash names its content. */
function nameSaysSo(ref: string, hash: string): boolean {
  const [, named] = /^inputs\/([0-9a-f]{64})$/u.exec(ref) ?? [];
  return named === undefined || named === hash;
}

function closed(): KernelError {
  return new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
}
