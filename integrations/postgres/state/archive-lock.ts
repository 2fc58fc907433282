// Archiving and destroying contents exclude each other, on all hosts: a content must not reach the archive after it was destroyed. The lock
// belongs to a connection, so that it ends with its process.
import {KernelError} from '@lumenflow/kernel';
import {setTimeout as wait} from 'node:timers/promises';
import type {Database} from '../connection/database.ts';
import {isPassing} from '../connection/is-passing.ts';

/** A large archive takes its time. */
const timeoutMs = 600_000;
const askEveryMs = 100;

/** Rejects with KernelError LOG_UNAVAILABLE if the lock was lost. */
export type CheckLock = () => Promise<void>;

type Client = Awaited<ReturnType<Database['connect']>>;

export class ArchiveLock {
  readonly #database: Database;
  readonly #key: string;
  /** One at a time, so that waiting needs one connection. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
    this.#key = `lumenflow archive ${database.schema}`;
  }

  /** Runs `work` while no other process archives or destroys. Rejects with KernelError LOG_UNAVAILABLE. */
  alone<T>(work: (check: CheckLock) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#aloneNow(work));
    // The caller gets the failure; the next one only waits for its end.
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #aloneNow<T>(work: (check: CheckLock) => Promise<T>): Promise<T> {
    // Repeated while the server restarts, which a new connection is not.
    await this.#database.ask({text: 'select 1'});
    const client = await this.#database.connect().catch((error: unknown) => {
      throw this.#failure(error);
    });
    const lost = (): void => undefined;
    client.on('error', lost);
    let isUnlocked = false;
    try {
      await this.#lock(client);
      const done = await work(async () => {
        await client.query('select 1').catch((error: unknown) => {
          throw this.#failure(error);
        });
      });
      await client.query('select pg_advisory_unlock(hashtext($1))', [this.#key]);
      isUnlocked = true;
      return done;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      client.off('error', lost);
      // A connection that ends takes its lock with it.
      client.release(!isUnlocked);
    }
  }

  async #lock(client: Client): Promise<void> {
    for (const deadline = performance.now() + timeoutMs; ;) {
      const {rows} = await client.query<{done: boolean}>('select pg_try_advisory_lock(hashtext($1)) as done', [
        this.#key,
      ]);
      if (rows[0]?.done === true) return;
      if (performance.now() > deadline) {
        const message = `${this.#database.location}: another process has archived for ten minutes: retry later`;
        throw new KernelError('LOG_UNAVAILABLE', message);
      }
      await wait(askEveryMs);
    }
  }

  #failure(cause: unknown): unknown {
    if (cause instanceof KernelError || !(cause instanceof Error)) return cause;
    if (!('code' in cause) && !isPassing(cause)) return cause;
    return new KernelError('LOG_UNAVAILABLE', `${this.#database.location}: ${cause.message}`, {cause});
  }
}
