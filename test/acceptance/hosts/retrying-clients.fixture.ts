// Clients of several hosts: each repeats a call on the next host until one acknowledges it, and remembers why others did not.
import {setTimeout as sleep} from 'node:timers/promises';

export interface RetryingClients {
  /** Receipts of calls whose success a client has read. */
  readonly acknowledged: readonly string[];
  /** How attempts failed since the last question: a status with its code and header, or the code of a connection's error. */
  takeFailures(): readonly string[];
  /** Ends after the calls in progress were acknowledged. */
  stop(): Promise<void>;
}

export interface ClientWords {
  readonly hosts: readonly string[];
  readonly token: string;
  readonly clients: number;
}

/** While all hosts are away, a client tries for about a minute. */
const attemptsMax = 3_000;

export function startClients({hosts, token, clients}: ClientWords): RetryingClients {
  const acknowledged: string[] = [];
  let failures = new Set<string>();
  const over = new AbortController();
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'};

  async function attempt(host: string, text: string): Promise<boolean> {
    const body = JSON.stringify({input: {text}});
    try {
      const response = await fetch(`${host}/v1/tools/echo:say`, {method: 'POST', headers, body});
      const reply = (await response.json()) as {metadata?: {receipt_id: string}; error?: {code: string}};
      const receipt = reply.metadata?.receipt_id;
      if (response.status === 200 && receipt !== undefined) return acknowledged.push(receipt) > 0;
      failures.add(`${response.status} ${reply.error?.code} ${response.headers.get('retry-after')}`);
    } catch (error) {
      failures.add(codeOf(error));
    }
    return false;
  }

  async function work(client: number): Promise<void> {
    for (let turn = client; !over.signal.aborted; turn += 1) {
      const text = `${client}.${turn}`;
      let attempts = 0;
      while (!(await attempt(hosts[(turn + attempts) % hosts.length] ?? '', text))) {
        attempts += 1;
        if (attempts > attemptsMax) throw new Error(`no host acknowledged: ${[...failures].join(', ')}`);
        await sleep(20);
      }
      await sleep(5);
    }
  }

  const working = Promise.all(Array.from({length: clients}, (_, client) => work(client)));
  // Reported by `stop`.
  working.catch(() => undefined);
  return {
    acknowledged,
    takeFailures() {
      const taken = [...failures].toSorted();
      failures = new Set();
      return taken;
    },
    async stop() {
      over.abort();
      await working;
    },
  };
}

/** `fetch` reports a refused or broken connection as the cause of its error. */
function codeOf(error: unknown): string {
  const {cause} = error as {readonly cause?: {readonly code?: string}};
  return cause?.code ?? String(error);
}
