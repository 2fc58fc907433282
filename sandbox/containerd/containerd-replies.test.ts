// What a broken containerd, or another program at its socket, sends in place of an answer.
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:http2';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {hostileReplies, hostileServer} from '../http/hostile-server.fixture.ts';
import {createContainerdClient} from './containerd-client.ts';
import {decodeMessage} from './protobuf.ts';

function socketPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'containerd-replies-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  return join(folder, 'socket');
}

const version = {service: 'version', method: 'Version', message: Buffer.alloc(0), timeoutMs: 200} as const;

test.each(hostileReplies)('a server that sends %s', async (_what, reply) => {
  const path = socketPath();
  await hostileServer(reply, path);
  expect(await createContainerdClient(path).begin(version).answer).toMatchObject({ok: false});
});

test('a reason that is not encoded as the protocol asks is reported as it is', async () => {
  const path = socketPath();
  const server = createServer();
  server.on('stream', (stream) => {
    stream.respond({':status': 200, 'grpc-status': '5', 'grpc-message': '100% full'}, {endStream: true});
  });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => void server.close());
  expect(await createContainerdClient(path).begin(version).answer).toEqual({
    ok: false,
    problem: {status: 5, message: '100% full'},
  });
});

test('a message with very many fields is read in proportion to its length', () => {
  const fields = decodeMessage(Buffer.alloc(400_000, Buffer.of(8, 1)));
  expect(fields.get(1)).toHaveLength(200_000);
});
