// Ends what callers have open once their token is revoked or their sign-in has ended, also if another host ended it: requests,
// streams and MCP sessions.

export interface Followed {
  /** Whether other hosts can end it: by an event of the state. */
  readonly isOfPerson: boolean;
  isAllowed(): boolean;
  end(): void;
}

export interface CallerWatch {
  /** Returns the function that ends the watch. */
  follow(followed: Followed): () => void;
  close(): void;
}

export interface CallerWatchOptions {
  /** Reads what other hosts recorded. */
  refresh(): Promise<void>;
  onError(error: unknown): void;
}

/** Together less than the five seconds in which a person who leaves must be out. */
const intervalMs = 1_000;
const refreshTimeoutMs = 3_000;

export function createCallerWatch({refresh, onError}: CallerWatchOptions): CallerWatch {
  const all = new Set<Followed>();
  let isChecking = false;

  /** A sign-in that has ended cannot be told from one that has not if the state cannot be read: then all of them end. */
  async function check(): Promise<void> {
    const isCurrent = await isRefreshed(refresh(), onError);
    for (const followed of all) {
      if (followed.isAllowed() && (isCurrent || !followed.isOfPerson)) continue;
      all.delete(followed);
      followed.end();
    }
  }

  const timer = setInterval(() => {
    if (all.size === 0 || isChecking) return;
    isChecking = true;
    void check()
      .catch(onError)
      .finally(() => {
        isChecking = false;
      });
  }, intervalMs);
  timer.unref();
  return {
    follow(followed) {
      all.add(followed);
      return () => void all.delete(followed);
    },
    close: () => clearInterval(timer),
  };
}

/** False if it failed or takes too long. */
async function isRefreshed(refreshing: Promise<void>, onError: (error: unknown) => void): Promise<boolean> {
  return await new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), refreshTimeoutMs);
    refreshing
      .then(() => resolve(true))
      .catch((error: unknown) => {
        onError(error);
        resolve(false);
      })
      .finally(() => clearTimeout(late));
  });
}
