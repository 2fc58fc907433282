// AWS Signature Version 4 of a received request, computed as a server does, for tests of what the client signs.
import {createHash, createHmac} from 'node:crypto';

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The signature that the Authorization header must have for this secret; undefined without such a header. */
export function signatureOf({method, target, headers}: ReceivedRequest, secret: string): string | undefined {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=[0-9a-f]{64}$/u;
  const [, day = '', region = '', signed] = pattern.exec(String(headers['authorization'])) ?? [];
  if (signed === undefined) return undefined;
  const {pathname, searchParams} = new URL(target, 'http://server');
  const query = [...searchParams]
    .map(([key, value]) => `${encoded(key)}=${encoded(value)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join('&');
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const request = [method, pathname, query, lines.join(''), signed, String(headers['x-amz-content-sha256'])].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Uint8Array>(
    (last, part) => hmac(last, part),
    `AWS4${secret}`,
  );
  return createHmac('sha256', key).update(text).digest('hex');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/gu, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hmac(key: string | Uint8Array, text: string): Uint8Array {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
