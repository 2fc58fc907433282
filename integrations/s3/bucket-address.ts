// Where a bucket is, and with which credentials it is used.
import {KernelError} from '@lumenflow/kernel';
import type {ArchiveSettings} from '@lumenflow/schemas';

type Environment = Readonly<Record<string, string | undefined>>;

export interface BucketAddress {
  /** Of the bucket, without a slash at the end. */
  readonly url: string;
  /** Before every key; empty or with a slash at the end. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Throws KernelError LOAD_FAILED. */
export function bucketAddress({location, endpoint, region: given}: ArchiveSettings, env: Environment): BucketAddress {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/u.exec(location) ?? [];
  if (bucket === undefined) {
    throw new KernelError('LOAD_FAILED', `\`${location}\` is not a bucket: use \`s3://BUCKET/PREFIX\``);
  }
  const region = given ?? env['AWS_REGION'] ?? 'us-east-1';
  const server = endpoint ?? env['AWS_ENDPOINT_URL_S3'];
  const prefix = path.replace(/\/+$/u, '');
  return {
    // Other servers than AWS have no name for each bucket.
    url: server
      ? `${server.replace(/\/+$/u, '')}/${bucket}`
      : `https://${bucket.includes('.') ? `s3.${region}.amazonaws.com/${bucket}` : `${bucket}.s3.${region}.amazonaws.com`}`,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    accessKeyId: required(env, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: required(env, 'AWS_SECRET_ACCESS_KEY'),
    ...(env['AWS_SESSION_TOKEN'] && {sessionToken: env['AWS_SESSION_TOKEN']}),
  };
}

function required(env: Environment, name: string): string {
  const value = env[name];
  if (value) return value;
  throw new KernelError('LOAD_FAILED', `the environment variable \`${name}\` is missing: the archive is in a bucket`);
}
