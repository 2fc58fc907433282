// What answers at the socket of an engine is not JSON, or JSON of another shape: a proxy, an old version, another program.
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createEngineClient, type EngineClient} from './engine-client.ts';
import {createEngineContainer} from './engine-container.ts';
import {lookAtEngine} from './engine-host.ts';
import {engines} from './engines.ts';
import {volumesOf} from './image/volumes-of.ts';

async function engineThatSends(body: string): Promise<EngineClient> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-replies-'));
  const path = join(folder, 'socket');
  const server = createServer((_, response) => response.end(body)).listen(path);
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
    rmSync(folder, {recursive: true});
  });
  return createEngineClient(path);
}

const others = [
  '',
  'null',
  '7',
  '"text"',
  '<html>',
  '[]',
  '{"State":',
  '{}',
  '{"State":null}',
  '{"State":{"Pid":"1"}}',
];

test.each(others)('an engine that sends `%s` has started no container', async (body) => {
  const container = createEngineContainer(await engineThatSends(body), 'name', engines.docker);
  expect(await container.begin({HostConfig: {}}, 'mark')).toMatchObject({ok: false});
  expect(await container.waitForEnd().end).toMatchObject({exitCode: 137, startError: expect.any(String)});
});

test.each(others)('an engine that describes itself as `%s` is not used', async (body) => {
  expect(await lookAtEngine(engines.docker, await engineThatSends(body), 'x64')).toMatchObject({
    ok: false,
    problem: {help: expect.stringContaining('security.sandbox.backends.docker.socket')},
  });
});

test.each(['', 'null', '7', '<html>', '[]'])(
  'an image that is described as `%s` has no known volumes',
  async (body) => {
    expect(await volumesOf(await engineThatSends(body), 'image')).toMatchObject({ok: false});
  },
);

test.each(['', '{}', '7', '[null]', '["text"]'])('a list that is `%s` is refused', async (body) => {
  const client = await engineThatSends(body);
  expect(await client.list('/containers/json')).toMatchObject({
    ok: false,
    problem: {message: 'its answer is not a list'},
  });
});
