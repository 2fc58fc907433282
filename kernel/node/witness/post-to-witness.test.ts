import {createServer, type AddressInfo} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {postToWitness} from './post-to-witness.ts';

test('a witness that switches to another protocol has not answered', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const {signal} = new AbortController();
  await expect(postToWitness(url, 'old 0\n', signal)).rejects.toThrow('without a response');
});
