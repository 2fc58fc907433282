import {archiveCases} from '@lumenflow/kernel/conformance';
import type {ArchiveStore} from '@lumenflow/kernel/node';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {openS3Archive} from './index.ts';
import {signatureOf} from './signature-of.fixture.ts';
import {startS3Server, type S3Server} from './start-s3-server.fixture.ts';

// The key pair of AWS's published examples.
const env = {
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

let server: S3Server;
beforeEach(async () => {
  server = await startS3Server(env.AWS_SECRET_ACCESS_KEY, 'evidence');
});
afterEach(() => server.close());

function open(more: Partial<typeof env> = {}, location = 's3://evidence/shop'): ArchiveStore {
  return openS3Archive({location, endpoint: server.endpoint}, {...env, ...more});
}

describe('the suite of archives', () => {
  for (const {name, run} of archiveCases) test(name, () => run({open: () => open()}));
});

test('objects are under the prefix, and those of another one are not seen', async () => {
  await open().put('contents/a', Buffer.from('a'));
  await open({}, 's3://evidence').put('contents/b', Buffer.from('b'));
  expect([...server.objects.keys()]).toEqual(['shop/contents/a', 'contents/b']);
  expect(await open().list('')).toEqual(['contents/a']);
  expect(await open({}, 's3://evidence/shopping').list('')).toEqual([]);
});

test('a wrong secret is refused, and the message says where', async () => {
  const wrong = open({AWS_SECRET_ACCESS_KEY: 'wrong'});
  await expect(wrong.put('contents/a', Buffer.from('a'))).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    message: 'the archive s3://evidence/shop cannot be used: PUT contents/a returned 403 SignatureDoesNotMatch',
  });
  expect(server.objects.size).toBe(0);
});

test('a server that is busy is asked again', async () => {
  server.failures.push(503, 500, 429);
  await open().put('contents/a', Buffer.from('a'));
  expect((await open().get('contents/a'))?.toString()).toBe('a');
});

test('a server that does not answer is reported', async () => {
  const archive = open();
  await server.close();
  await expect(archive.get('contents/a')).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    message: expect.stringMatching(
      /^the archive s3:\/\/evidence\/shop cannot be used: GET contents\/a failed: .*ECONNREFUSED/u,
    ),
  });
  server = await startS3Server(env.AWS_SECRET_ACCESS_KEY, 'evidence');
});

test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])('without %s, the archive is not opened', (name) => {
  expect(() => openS3Archive({location: 's3://evidence'}, {...env, [name]: ''})).toThrow(
    `the environment variable \`${name}\` is missing`,
  );
});

// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
const published = [
  {
    what: 'GET Object',
    method: 'GET',
    target: '/test.txt',
    headers: {range: 'bytes=0-9'},
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    signed: 'host;range;x-amz-content-sha256;x-amz-date',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    what: 'GET Bucket (List Objects)',
    method: 'GET',
    target: '/?max-keys=2&prefix=J',
    headers: {},
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    signed: 'host;x-amz-content-sha256;x-amz-date',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
];

test.each(published)('the server of these tests computes the published signature of $what', (example) => {
  const {method, target, headers, sha256, signed, signature} = example;
  const authorization = `AWS4-HMAC-SHA256 Credential=${env.AWS_ACCESS_KEY_ID}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signed},Signature=${signature}`;
  const all = {
    ...headers,
    authorization,
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': sha256,
    'x-amz-date': '20130524T000000Z',
  };
  expect(signatureOf({method, target, headers: all}, env.AWS_SECRET_ACCESS_KEY)).toBe(signature);
});
