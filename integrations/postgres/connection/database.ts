// A workspace's schema in a database. What is asked while the server restarts or cannot be reached is asked again.
import {KernelError} from '@lumenflow/kernel';
import {Pool, type PoolClient, type QueryConfig} from 'pg';
import {isPassing} from './is-passing.ts';

export interface DatabaseOptions {
  /** `postgresql://user:password@server:5432/database`, with the options of libpq, such as `sslmode=verify-full`. */
  readonly url: string;
  /** The PostgreSQL schema of the workspace: lower-case letters, digits and `_`; default `lumenflow`. */
  readonly schema?: string | undefined;
  /** How long a statement is repeated while the server cannot be reached, in ms; default 10,000. */
  readonly retryMs?: number | undefined;
  /** Connections; default 8. */
  readonly connectionsMax?: number | undefined;
}

export interface Question {
  /** A statement is prepared once for each connection and name. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

type Row = Readonly<Record<string, unknown>>;

const schemaPattern = /^[a-z_][a-z0-9_]{0,62}$/u;
const waitMs = {first: 50, max: 1_000};
/** A server that accepts connections and does not answer. */
const answerMs = 30_000;

export class Database {
  readonly schema: string;
  /** For people: without the password. */
  readonly location: string;
  readonly #pool: Pool;
  readonly #retryMs: number;
  #isClosed = false;

  constructor({url, schema = 'lumenflow', retryMs = 10_000, connectionsMax = 8}: DatabaseOptions) {
    if (!schemaPattern.test(schema)) {
      throw new KernelError(
        'LOAD_FAILED',
        `the schema \`${schema}\` is invalid: use lower-case letters, digits and \`_\``,
      );
    }
    this.schema = schema;
    this.location = locationOf(url, schema);
    this.#retryMs = retryMs;
    this.#pool = new Pool({
      connectionString: url,
      max: connectionsMax,
      connectionTimeoutMillis: 5_000,
      query_timeout: answerMs,
      options: `-c search_path=${schema} -c statement_timeout=${answerMs} -c idle_in_transaction_session_timeout=${answerMs}`,
      application_name: 'lumenflow',
    });
    // The connection is removed from the pool; the next request gets another one.
    this.#pool.on('error', () => undefined);
  }

  /** Rejects with KernelError LOG_UNAVAILABLE. The statement may be repeated, so repeating it must change nothing. */
  async ask<Found extends object = Row>(question: Question): Promise<readonly Found[]> {
    return await this.#repeated(async () => (await this.#pool.query<Found & Row>(mutable(question))).rows);
  }

  /** All statements of `work` in one transaction, which may be repeated. */
  async transact<T>(work: (ask: (question: Question) => Promise<readonly Row[]>) => Promise<T>): Promise<T> {
    return await this.#repeated(async () => {
      const client = await this.#pool.connect();
      let failure: Error | undefined;
      try {
        await client.query('begin');
        const result = await work(async (question) => (await client.query(mutable(question))).rows);
        await client.query('commit');
        return result;
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
        throw error;
      } finally {
        // A connection whose transaction did not end is not used again, which ends it.
        client.release(failure);
      }
    });
  }

  /** A separate connection, for notifications. */
  async connect(): Promise<PoolClient> {
    return await this.#pool.connect();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#pool.end();
  }

  async #repeated<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#retryMs;
    for (let wait = waitMs.first; ; wait = Math.min(wait * 2, waitMs.max)) {
      if (this.#isClosed) throw new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
      try {
        return await work();
      } catch (error) {
        if (!isPassing(error) || performance.now() + wait > deadline) throw this.#failure(error);
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  #failure(cause: unknown): unknown {
    if (cause instanceof KernelError || !(cause instanceof Error)) return cause;
    if (!('code' in cause) && !isPassing(cause)) return cause;
    return new KernelError('LOG_UNAVAILABLE', `${this.location}: ${cause.message || String(cause)}`, {cause});
  }
}

function mutable({values = [], ...question}: Question): QueryConfig {
  return {...question, values: [...values]};
}

function locationOf(url: string, schema: string): string {
  try {
    const {host, pathname} = new URL(url);
    return `postgresql://${host}${pathname} (schema ${schema})`;
  } catch {
    // libpq accepts more than URLs, and none of it may show a password.
    return `PostgreSQL (schema ${schema})`;
  }
}
