// An archive in a bucket of AWS, or of any server that speaks its protocol. Objects are stored only if their key is new.
import {KernelError} from '@lumenflow/kernel';
import type {ArchiveStore} from '@lumenflow/kernel/node';
import type {ArchiveSettings} from '@lumenflow/schemas';
import {AwsClient} from 'aws4fetch';
import {createHash} from 'node:crypto';
import {bucketAddress} from './bucket-address.ts';
import {collectKeys} from './collect-keys.ts';
import {parseKeyPage, type KeyPage} from './parse-key-page.ts';

/** Of one request, with its answer. */
const timeoutMs = 120_000;
/** After answers 429 and 5xx, with growing pauses. */
const retries = 4;

interface Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array;
  /** Answers that are not failures, beside 2xx. */
  readonly accepts?: readonly number[];
}

/** Credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN. Throws KernelError LOAD_FAILED. */
export function openS3Archive(
  settings: ArchiveSettings,
  env: Readonly<Record<string, string | undefined>>,
): ArchiveStore {
  const {location} = settings;
  const {url, prefix, ...credentials} = bucketAddress(settings, env);
  const client = new AwsClient({...credentials, service: 's3', retries, initRetryMs: 200});
  const ask = async ({method, key, query, bytes, accepts = []}: Request): Promise<Response> => {
    const path = key === undefined ? url : `${url}/${prefix}${key}`;
    const what = `${method} ${key ?? 'the list of objects'}`;
    try {
      const answer = await client.fetch(query ? `${path}?${new URLSearchParams(query).toString()}` : path, {
        method,
        signal: AbortSignal.timeout(timeoutMs),
        headers: headersOf(method, bytes),
        ...(bytes && {body: Buffer.from(bytes)}),
      });
      if (answer.ok || accepts.includes(answer.status)) return answer;
      throw unavailable(location, `${what} returned ${answer.status}${codeIn(await answer.text())}`);
    } catch (cause) {
      throw cause instanceof KernelError ? cause : unavailable(location, `${what} failed: ${reasonOf(cause)}`, cause);
    }
  };
  return {
    location,
    async put(key, bytes) {
      // 412: there is such an object, and its key contains its hash.
      await (await ask({method: 'PUT', key, bytes, accepts: [412]})).arrayBuffer();
    },
    async get(key) {
      const answer = await ask({method: 'GET', key, accepts: [404]});
      const bytes = await bodyOf(answer, location, key);
      return answer.status === 404 ? undefined : bytes;
    },
    async list(wanted) {
      const base = {'list-type': '2', prefix: `${prefix}${wanted}`};
      const pageAt = async (token: string | undefined): Promise<KeyPage> => {
        const query = token === undefined ? base : {...base, 'continuation-token': token};
        return parseKeyPage(await textOf(await ask({method: 'GET', query}), location));
      };
      const keys = await collectKeys(pageAt, (reason) => unavailable(location, reason));
      return keys.map((key) => key.slice(prefix.length)).toSorted((a, b) => (a < b ? -1 : 1));
    },
    async delete(key) {
      await (await ask({method: 'DELETE', key, accepts: [404]})).arrayBuffer();
    },
  };
}

function headersOf(method: Request['method'], bytes: Uint8Array = new Uint8Array()): Record<string, string> {
  const signed = {'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex')};
  return method === 'PUT' ? {...signed, 'if-none-match': '*', 'content-type': 'application/octet-stream'} : signed;
}

/** The connection may end before the object does. */
async function bodyOf(answer: Response, location: string, key: string): Promise<Buffer> {
  try {
    return Buffer.from(await answer.arrayBuffer());
  } catch (cause) {
    throw unavailable(location, `GET ${key} failed: ${reasonOf(cause)}`, cause);
  }
}

async function textOf(answer: Response, location: string): Promise<string> {
  return (await bodyOf(answer, location, 'the list of objects')).toString();
}

function codeIn(xml: string): string {
  const [, code] = /<Code>([A-Za-z0-9.]{1,100})<\/Code>/u.exec(xml) ?? [];
  return code === undefined ? '' : ` ${code}`;
}

/** `fetch` puts the reason into the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || String(error.cause) : error.message;
}

function unavailable(location: string, reason: string, cause?: unknown): KernelError {
  return new KernelError('LOG_UNAVAILABLE', `the archive ${location} cannot be used: ${reason}`, {cause});
}
