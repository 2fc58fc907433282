// Many connections, and peers that do not keep up: nothing is lost, nothing piles up in the host.
import {createServer, type Socket} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createNetworkBench, networkObstacle, type NetworkBench} from '../testing/network-bench.fixture.ts';

const obstacle = networkObstacle();
if (obstacle !== undefined) process.stderr.write(`skipped: many connections under an allowlist: ${obstacle}\n`);

describe.skipIf(obstacle !== undefined)('under an allowlist', () => {
  let network: NetworkBench;
  beforeAll(async () => {
    network = await createNetworkBench();
  });
  afterAll(() => network.remove());

  test('1,000 connections are open at once, and those over the limit are refused with a reason', async () => {
    const {echo} = network;
    const {output, enforcement} = await network.run(
      `const open = (host) => new Promise((done) => {
         const socket = net.connect(${echo}, host, () => socket.write('ping')).once('data', () => done(socket)).once('error', ({code}) => done(code));
       });
       const sockets = await Promise.all(Array.from({length: 1000}, (_, index) => open(index % 2 === 0 ? '127.0.0.1' : 'api.test')));
       const first = sockets.filter((socket) => typeof socket !== 'string').length;
       const more = await Promise.all(Array.from({length: 30}, () => open('127.0.0.1')));
       for (const socket of [...sockets, ...more]) if (typeof socket !== 'string') socket.end();
       return {first, refused: more.filter((each) => each === 'ECONNRESET').length};`,
      {allow: [`127.0.0.1:${echo}`, `api.test:${echo}`], limits: {open_files: 4096}},
    );
    expect(output.data).toEqual({first: 1000, refused: 6});
    expect(enforcement.denials).toEqual([
      `network 127.0.0.1:${echo}: more than 1024 simultaneous connections (rule 127.0.0.1:${echo})`,
    ]);
  });

  test.each(['127.0.0.1', 'api.test'])('a server that does not read stops the client at %s', async (host) => {
    let [paused, whole]: [Socket | undefined, number] = [undefined, 0];
    const port = await network.listen(createServer((socket) => (paused = socket.pause())));
    const control = await network.listen(
      createServer((socket) => {
        // The client is stuck: now the server reads.
        paused
          ?.on('data', ({length}) => (whole += length))
          .on('end', () => socket.end('all'))
          .resume();
      }),
    );
    const {output} = await network.run(
      `const total = 64_000_000; let sent = 0;
       const socket = net.connect(${port}, '${host}'); const chunk = Buffer.alloc(100_000);
       const stuck = () => new Promise((done) => { const timer = setTimeout(done, 700); socket.once('drain', () => { clearTimeout(timer); done('drained'); }); });
       let stopped; const head = Buffer.from('POST / HTTP/1.1\\r\\nHost: api.test\\r\\nContent-Length: ' + total + '\\r\\n\\r\\n'); socket.write(head);
       while (sent < total) {
         sent += chunk.length;
         if (!socket.write(chunk) && (await stuck()) !== 'drained') { stopped ??= sent; break; }
       }
       const control = net.connect(${control}, '127.0.0.1');
       while (sent < total) { sent += chunk.length; if (!socket.write(chunk)) await new Promise((done) => socket.once('drain', done)); }
       socket.end(); const said = await new Promise((done) => control.once('data', (data) => done(String(data))));
       return {stopped: stopped < 30_000_000, said, head: head.length};`,
      {allow: [`api.test:${port}`, `127.0.0.1:${port}`, `127.0.0.1:${control}`]},
    );
    expect(output.data).toEqual({stopped: true, said: 'all', head: whole - 64_000_000});
  });

  test('a client that does not read stops the server', async () => {
    let sent = 0;
    const port = await network.listen(
      createServer((socket) => {
        socket.on('error', () => undefined);
        const write = (): void => {
          while (sent < 64_000_000) {
            sent += 100_000;
            if (!socket.write(Buffer.alloc(100_000))) return void socket.once('drain', write);
          }
          socket.end();
        };
        write();
      }),
    );
    const progress = await network.listen(createServer((socket) => socket.end(String(sent))));
    const {output} = await network.run(
      `const slow = net.connect(${port}, 'api.test').pause(); await new Promise((done) => slow.once('connect', done));
       const ask = () => tcp('127.0.0.1', ${progress}, '');
       let before; let now = await ask(); do { before = now; await new Promise((done) => setTimeout(done, 400)); now = await ask(); } while (now !== before);
       let got = 0; await new Promise((done) => slow.on('data', ({length}) => (got += length)).on('end', done).resume());
       return {stopped: Number(before) > 0 && Number(before) < 30_000_000, got};`,
      {allow: [`api.test:${port}`, `127.0.0.1:${port}`, `127.0.0.1:${progress}`]},
    );
    expect(output.data).toEqual({stopped: true, got: 64_000_000});
  });
});
