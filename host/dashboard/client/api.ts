// The HTTP API as the pages use it. Texts come from tools and agents: what would turn the direction of writing, or hide, is
// made visible before anything shows it. The token goes into a header only: addresses end up in logs and histories.
import type {HttpCall} from '@lumenflow/schemas';
import {showControls} from '../../text/show-controls.ts';

class ApiError extends Error {
  readonly status: number;
  /** The answer, which for a call names its receipt. */
  readonly body: HttpCall;

  constructor(status: number, body: HttpCall, message: string) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

export interface ServerEvent {
  readonly type: string;
  readonly data: unknown;
}

interface Position {
  readonly signal: AbortSignal;
  /** The id of the last event, for the next stream. */
  readonly lastId: {current?: string | undefined};
}

export interface Api {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  remove(path: string): Promise<void>;
  /** The output of a tool, also if it was refused. Rejects if there is no receipt. */
  callTool(name: string, body: unknown): Promise<HttpCall>;
  /** Streams server-sent events until the signal aborts. Resumes after a lost connection. */
  follow(path: string, from: Position, listener: (event: ServerEvent) => void): Promise<void>;
}

const retryMs = 1_000;
/** The type of the event that follows a pause, in which something can have happened. */
export const resumed = 'resumed';

export function createApi(token: string): Api {
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(init.headers as Record<string, string>),
    };
    const response = await fetch(path, {...init, headers, cache: 'no-store', credentials: 'omit'});
    if (response.ok) return response;
    const body = parse(await response.text()) as HttpCall;
    // The server's message names a header, which does not help a person.
    const message =
      response.status === 401
        ? 'this token is not valid, or your sign-in has ended'
        : (body.error?.message ?? response.statusText);
    throw new ApiError(response.status, body, message);
  };
  const post = async (path: string, body: unknown): Promise<unknown> =>
    parse(await (await send(path, {method: 'POST', body: JSON.stringify(body)})).text());
  return {
    get: async <T>(path: string) => parse(await (await send(path)).text()) as T,
    post: async <T>(path: string, body: unknown) => (await post(path, body)) as T,
    async remove(path) {
      await send(path, {method: 'DELETE'});
    },
    async callTool(name, body) {
      try {
        return (await post(`/v1/tools/${encodeURIComponent(name)}`, body)) as HttpCall;
      } catch (error) {
        if (error instanceof ApiError && error.body.metadata?.receipt_id !== undefined) return error.body;
        throw error;
      }
    },
    async follow(path, {signal, lastId}, listener) {
      let isFirst = true;
      while (!signal.aborted) {
        try {
          await untilSeen();
          const response = await send(path, {
            signal: whileSeen(signal),
            ...(lastId.current !== undefined && {headers: {'last-event-id': lastId.current}}),
          });
          if (!isFirst) listener({type: resumed, data: undefined});
          isFirst = false;
          await readEvents(response, lastId, listener);
        } catch (error) {
          // Any other error is a lost connection or a hidden tab: the stream starts again.
          if (error instanceof ApiError && error.status < 500) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    },
  };
}

function parse(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? showControls(value) : value));
}

/** A browser opens at most six connections to a server, so hidden tabs close theirs. */
function whileSeen(signal: AbortSignal): AbortSignal {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const endUnseen = (): void => {
    if (document.hidden) end();
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end, {signal: ending.signal});
  document.addEventListener('visibilitychange', endUnseen, {signal: ending.signal});
  return ending.signal;
}

async function untilSeen(): Promise<void> {
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, {once: true}));
  }
}

async function readEvents(
  response: Response,
  lastId: Position['lastId'],
  listener: (event: ServerEvent) => void,
): Promise<void> {
  let rest = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const chunk = await reader?.read().catch(() => undefined);
    if (!chunk || chunk.done) return;
    const blocks = (rest + chunk.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      lastId.current = fields.get('id') ?? lastId.current;
      const data = fields.get('data');
      if (data !== undefined) listener({type: fields.get('event') ?? 'message', data: parse(data)});
    }
  }
}
