// Contents by their SHA-256, put in groups.
import {KernelError} from '@lumenflow/kernel';
import {RecentMap, type ContentStore} from '@lumenflow/kernel/adapters';
import {sha256Hex, type ContentReading} from '@lumenflow/kernel/node';
import {randomBytes} from 'node:crypto';
import type {Database} from '../connection/database.ts';

/** Contents whose ref is remembered, so that the same input is sent once. */
const rememberedMax = 2_048;
/** PostgreSQL takes values up to 1 GiB, and the client library needs a copy of each. */
const contentBytesMax = 256 * 1024 * 1024;

/** Sent with one statement, unless a single content is larger. */
const groupBytesMax = 8 * 1024 * 1024;

type Found =
  | {readonly kind: 'found'; readonly hash: string; readonly bytes: Buffer}
  | {readonly kind: 'shredded'; readonly hash: string; readonly bytes?: undefined}
  | {readonly kind: 'missing' | 'changed'; readonly hash?: undefined; readonly bytes?: undefined};

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
  readonly #remembered = new RecentMap<string, Stored>(rememberedMax);
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
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
    const {kind, hash} = await this.#find(ref);
    return kind === 'found' || kind === 'shredded' ? {kind, hash} : {kind};
  }

  async shred(hash: string): Promise<readonly string[]> {
    if (this.#isClosed) throw closed();
    this.#remembered.delete(hash);
    // Twice has the effect of once, but only the first has the refs: a repetition must not lose them.
    const rows = await this.#database.transact(async (ask) => {
      const found = await ask({text: 'select ref from contents where hash = $1 and bytes is not null', values: [hash]});
      await ask({text: 'select shred_content($1)', values: [hash]});
      return found;
    });
    return rows.map(({ref}) => String(ref));
  }

  async shredAll(hashes: ReadonlySet<string>): Promise<number> {
    if (this.#isClosed) throw closed();
    for (const hash of hashes) this.#remembered.delete(hash);
    const rows = await this.#database.ask<{hash: string}>({
      text: 'select hash from unnest($1::text[]) as hash where exists (select from shred_content(hash))',
      values: [[...hashes]],
    });
    return rows.length;
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

  async #find(ref: string): Promise<Found> {
    if (ref.includes('\u0000')) return {kind: 'missing'};
    const [row] = await this.#database.ask<{hash: string; bytes: Buffer | null}>({
      name: 'get-content',
      text: 'select hash, bytes from contents where ref = $1',
      values: [ref],
    });
    if (row === undefined) return {kind: 'missing'};
    const {hash, bytes} = row;
    if (bytes === null) return {kind: 'shredded', hash};
    return sha256Hex(bytes) === hash && nameSaysSo(ref, hash) ? {kind: 'found', hash, bytes} : {kind: 'changed'};
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

/** A ref that is a hash names its content. */
function nameSaysSo(ref: string, hash: string): boolean {
  const [, named] = /^inputs\/([0-9a-f]{64})$/u.exec(ref) ?? [];
  return named === undefined || named === hash;
}

function closed(): KernelError {
  return new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
}
