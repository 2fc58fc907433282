// Remembers the nonces of accepted requests until they expire, so that a request is accepted once. A nonce is never forgotten early:
// when the cache is full, requests are refused. After a restart the cache is empty, so a request that may have been accepted before is
// refused: one created until then, or until the newest time that was accepted from a clock that is ahead.
import {failed, ok, type Failed, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';

export interface NonceCacheOptions {
  /** When this process started to serve, in milliseconds. */
  readonly startedAt: number;
  /** Nonces of one key at a time. */
  readonly perKeyMax?: number;
  /** The newest `created` that an earlier process has accepted, in seconds; 0 if there is none. */
  readonly newestCreated: number;
  /** Must have stored the newest `created` when it returns. It is called only for one later than the current second. */
  readonly keepNewestCreated: (created: number) => void;
}

/** Of a request whose signature was verified; times in seconds. */
export interface UsedNonce {
  readonly keyId: string;
  readonly nonce: string;
  readonly created: number;
  readonly expires: number;
}

const perKeyMaxDefault = 50_000;

export class NonceCache {
  readonly #options: NonceCacheOptions;
  /** Expiry by nonce, by key. */
  readonly #perKey = new Map<string, Map<string, number>>();
  /** Requests created until then may have been accepted by an earlier process. */
  readonly #before: number;
  #newestCreated: number;
  /** Nonces that expired until then are forgotten, even if the clock is set back. */
  #forgotten = 0;

  constructor(options: NonceCacheOptions) {
    this.#options = options;
    this.#newestCreated = options.newestCreated;
    this.#before = Math.max(Math.floor(options.startedAt / 1000), options.newestCreated);
  }

  /** Accepts a nonce that was not used before. `now` in milliseconds. */
  use({keyId, nonce, created, expires}: UsedNonce, now: number): Outcome<true> {
    const second = Math.floor(now / 1000);
    this.#forgetExpired(second);
    if (created <= this.#before || expires <= this.#forgotten) {
      const message = 'the worker may have accepted this request before it was restarted or its clock was set back';
      return later(message, Math.max(this.#before, this.#forgotten) - second);
    }
    const nonces = this.#perKey.get(keyId) ?? new Map<string, number>();
    if (nonces.has(nonce)) {
      const message = 'the request was accepted before: its nonce is used';
      return failed({message, help: 'sign each request again; its idempotency key prevents a second execution'});
    }
    if (nonces.size >= (this.#options.perKeyMax ?? perKeyMaxDefault)) {
      const message = `${nonces.size} requests of \`${keyId}\` have not expired, and the worker cannot remember more`;
      return later(message, Math.min(...nonces.values()) - second);
    }
    if (created > Math.max(second, this.#newestCreated)) {
      this.#options.keepNewestCreated(created);
      this.#newestCreated = created;
    }
    this.#perKey.set(keyId, nonces.set(nonce, expires));
    return ok(true);
  }

  /** Once a second. */
  #forgetExpired(second: number): void {
    if (second <= this.#forgotten + 1) return;
    this.#forgotten = second - 1;
    for (const [keyId, nonces] of this.#perKey) {
      for (const [nonce, expires] of nonces) if (expires <= this.#forgotten) nonces.delete(nonce);
      if (nonces.size === 0) this.#perKey.delete(keyId);
    }
  }
}

function later(message: string, seconds: number): Failed<SandboxProblem> {
  return failed({message, help: `sign the request again in ${Math.max(1, seconds + 1)} s`, retryable: true});
}
