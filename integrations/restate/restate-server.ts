// The HTTP API of a Restate server: its ingress accepts invocations, its admin endpoint looks them up and ends them.
import {setTimeout as wait} from 'node:timers/promises';
import {objectNameOf, type RestateSettings} from './restate-settings.ts';
import type {RunState} from './run-object.ts';

export interface Invocation {
  readonly id: string;
  /** As the server names it, such as `running`, `suspended` or `paused`. */
  readonly status: string;
}

export interface FoundRun {
  /** The invocation that the server has for the run and that is not over, if there is one. */
  readonly invocation: Invocation | undefined;
  readonly waits: RunState['waits'];
  readonly parked: string | undefined;
  /** Milliseconds since 1970. */
  readonly parkedAt: number | undefined;
}

const timeoutMs = 30_000;
/** A server that restarts, or that moves its partitions, replies again after some seconds. */
const retryMs = 15_000;
const pauseMs = 200;

export class RestateServer {
  readonly object: string;
  readonly #ingress: string;
  readonly #admin: string;

  constructor(settings: RestateSettings) {
    const {ingress_url = 'http://127.0.0.1:8080', admin_url = 'http://127.0.0.1:9070'} = settings;
    this.object = objectNameOf(settings);
    this.#ingress = ingress_url;
    this.#admin = admin_url;
  }

  /** Resolves with the id of the invocation once the server has it. */
  async invoke(run_id: string): Promise<string> {
    const url = `${this.#ingress}/${this.object}/${encodeURIComponent(run_id)}/run/send`;
    const reply = await request(url, {method: 'POST'});
    if (reply.status === 404) {
      throw new Error(
        `the server at ${this.#ingress} knows no worker of \`${this.object}\`: run \`lumenflow worker --engine\``,
      );
    }
    const {invocationId} = Object(await okOf(reply, url)) as {readonly invocationId?: unknown};
    if (typeof invocationId !== 'string') throw notRestate(url, 'without an invocation id');
    return invocationId;
  }

  async resolve(awakeable: string): Promise<void> {
    const url = `${this.#ingress}/restate/awakeables/${awakeable}/resolve`;
    await okOf(await request(url, {method: 'POST', ...json(null)}), url);
  }

  async find(run_id: string): Promise<FoundRun> {
    const object = sql(this.object);
    const key = sql(run_id);
    // In this order: an invocation that is not found any more has written its state.
    const invocations = await this.#query(
      `select id, status from sys_invocation where target_service_name = ${object} and target_service_key = ${key} and status <> 'completed'`,
    );
    const state = await this.#query(
      `select key, value_utf8 from state where service_name = ${object} and service_key = ${key}`,
    );
    const value = (name: keyof RunState): unknown => {
      const text = state.find((row) => row['key'] === name)?.['value_utf8'];
      return text === undefined ? undefined : parsed(text, `${this.#admin}/query`);
    };
    const known = invocations.map(({id = '', status = ''}) => ({id, status}));
    return {
      // Others are queued behind the one that has the object.
      invocation: known.find(({status}) => status !== 'pending' && status !== 'scheduled') ?? known[0],
      waits: (value('waits') ?? {}) as RunState['waits'],
      parked: value('parked') as string | undefined,
      parkedAt: value('parked_at') as number | undefined,
    };
  }

  async knows(invocation: string): Promise<boolean> {
    return (await this.#query(`select id from sys_invocation where id = ${sql(invocation)}`)).length > 0;
  }

  /** An invocation that is over stays so. */
  async end(invocation: string, how: 'cancel' | 'resume'): Promise<void> {
    const url = `${this.#admin}/invocations/${invocation}/${how}`;
    const reply = await request(url, {method: 'PATCH'});
    if (reply.status !== 404 && reply.status !== 409) await okOf(reply, url);
  }

  /** Removes the state of a run that has no invocation. The server has accepted it then, and does so soon. */
  async forget(run_id: string): Promise<void> {
    const url = `${this.#admin}/services/${this.object}/state`;
    await okOf(await request(url, {method: 'POST', ...json({object_key: run_id, new_state: {}})}), url);
  }

  /** Makes the server discover the worker at this address. */
  async register(uri: string): Promise<void> {
    const url = `${this.#admin}/deployments`;
    await okOf(await request(url, {method: 'POST', ...json({uri, force: true})}), url);
  }

  async #query(query: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const url = `${this.#admin}/query`;
    const reply = await request(url, {method: 'POST', ...json({query})});
    const {rows} = Object(await okOf(reply, url)) as {readonly rows?: unknown};
    if (!Array.isArray(rows) || !rows.every((row) => typeof row === 'object' && row !== null)) {
      throw notRestate(url, 'without rows');
    }
    return rows as readonly Record<string, string>[];
  }
}

function sql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function json(body: unknown): RequestInit {
  return {body: JSON.stringify(body), headers: {'content-type': 'application/json', accept: 'application/json'}};
}

/** Repeats the request for a while if the server cannot handle it now. An invocation that is made twice finds its run over. */
async function request(url: string, init: RequestInit): Promise<Response> {
  for (const end = performance.now() + retryMs; ; await wait(pauseMs)) {
    const isLast = performance.now() > end;
    try {
      const reply = await fetch(url, {...init, signal: AbortSignal.timeout(timeoutMs)});
      if (reply.status < 500 || isLast) return reply;
      await reply.body?.cancel();
    } catch (error) {
      if (isLast)
        throw new Error(`the Restate server at ${new URL(url).origin} does not reply: ${reasonOf(error)}`, {
          cause: error,
        });
    }
  }
}

function reasonOf(error: unknown): string {
  const {message, cause} = error as Error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}

async function okOf(reply: Response, url: string): Promise<unknown> {
  const text = await reply.text().catch((error: unknown) => {
    throw new Error(`the Restate server at ${new URL(url).origin} stopped in its reply: ${reasonOf(error)}`, {
      cause: error,
    });
  });
  if (reply.ok) return text === '' ? undefined : parsed(text, url);
  throw new Error(`the Restate server at ${new URL(url).origin} replied ${reply.status}: ${text.slice(0, 500)}`);
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notRestate(url, `that is not JSON (\`${text.trim().slice(0, 100)}\`)`);
  }
}

function notRestate(url: string, what: string): Error {
  return new Error(
    `what listens at ${new URL(url).origin} sent a reply ${what}: correct \`ingress_url\` or \`admin_url\` of the engine`,
  );
}
