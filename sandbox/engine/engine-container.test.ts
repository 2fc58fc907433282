// How the end of a container is found without asking its engine again and again.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {createServer, type ServerResponse} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createEngineClient} from './engine-client.ts';
import {createEngineContainer} from './engine-container.ts';
import {engines} from './engines.ts';

test.skipIf(process.platform !== 'linux')(
  'an engine that looks at containers in intervals does so rarely, until the first process has ended',
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'engine-')));
    const socket = join(folder, 'engine.sock');
    const first = spawn('/bin/sh', ['-c', 'read -r _', 'mark-of-container'], {stdio: ['pipe', 'ignore', 'ignore']});
    const firstEnds = once(first, 'exit');
    const asked: (string | undefined)[] = [];
    const waiting: ServerResponse[] = [];
    const server = createServer((request, response) => {
      if (request.url?.endsWith('/json')) {
        response.end(JSON.stringify({State: {Pid: first.pid, ExitCode: 3, OOMKilled: false}}));
      } else if (request.url?.includes('/wait?')) {
        asked.push(request.url);
        waiting.push(response);
        if (first.exitCode !== null) response.end('{}');
      } else {
        response.end('{}');
      }
    }).listen(socket);
    try {
      await once(server, 'listening');
      const container = createEngineContainer(createEngineClient(socket), 'name', engines.podman);
      expect(await container.begin({HostConfig: {}}, 'mark-of-container')).toEqual({ok: true, value: first.pid});
      const {end} = container.waitForEnd();
      while (waiting.length === 0) await new Promise(setImmediate);
      const path = '/v4.0.0/libpod/containers/name/wait?condition=stopped&condition=exited&interval=';
      expect(asked).toEqual([`${path}1s`]);
      first.stdin?.end();
      await firstEnds;
      expect(await end).toEqual({exitCode: 3, isOutOfMemory: false});
      expect(asked).toEqual([`${path}1s`, `${path}20ms`]);
    } finally {
      first.kill();
      for (const response of waiting) response.end();
      server.close();
      rmSync(folder, {recursive: true});
    }
  },
);
