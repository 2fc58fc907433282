// A client whose workspace cannot serve it: it connects, learns why, and goes on once that is fixed.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {parse} from 'yaml';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {connectDesk, createClient, eras, makeDesk} from '../../support/mcp-desk.ts';

let desk: HostWorkspace;
beforeAll(() => {
  desk = makeDesk();
});
afterAll(() => desk.remove());

describe.each(eras)('a client of the %s era', (era) => {
  it('connects to a workspace that does not load, and works once it does', async () => {
    const path = join(desk.root, 'workspace.yaml');
    const sound = readFileSync(path, 'utf8');
    writeFileSync(path, JSON.stringify({...(parse(sound) as object), unknown_key: 1, unknown_too: 2}));
    const {client, stderr} = await connectDesk(desk.root, createClient(era));
    const {tools} = await client.listTools();
    expect(tools).toMatchObject([
      {
        name: 'lumenflow_status',
        description: expect.stringMatching(/LOAD_FAILED.*workspace\.yaml:.*unknown_key.*unknown_too/s),
      },
    ]);
    expect(await client.callTool({name: 'lumenflow_status', arguments: {}})).toMatchObject({
      isError: true,
      structuredContent: {code: 'LOAD_FAILED', remedy: expect.stringContaining('ask the user to fix it')},
    });
    // The user reads stderr; only the model has somebody to ask.
    expect(stderr()).toMatch(/LOAD_FAILED[^]*unknown_key/u);
    expect(stderr()).not.toContain('ask the user');
    expect((await client.listResources()).resources).toEqual([]);
    writeFileSync(path, sound);
    expect(await client.callTool({name: 'desk_add', arguments: {a: 1, b: 2}})).toMatchObject({
      structuredContent: {sum: 3},
    });
    expect((await client.listTools()).tools.length).toBeGreaterThan(1);
    await client.close();
  });

  it('connects with a command line that is wrong', async () => {
    const {client, stderr} = await connectDesk(desk.root, createClient(era), ['--bogus']);
    const {tools} = await client.listTools();
    expect(tools).toMatchObject([{name: 'lumenflow_status', description: expect.stringContaining('`--bogus`')}]);
    expect(await client.callTool({name: 'desk_add', arguments: {}})).toMatchObject({
      isError: true,
      structuredContent: {code: 'USAGE', remedy: expect.stringContaining('lumenflow mcp --help')},
    });
    expect(stderr()).toContain('unknown option `--bogus`');
    await client.close();
  });

  it('connects in a lane that does not exist', async () => {
    const {client} = await connectDesk(desk.root, createClient(era), ['--lane', 'nowhere']);
    expect(await client.callTool({name: 'desk_add', arguments: {}})).toMatchObject({
      isError: true,
      structuredContent: {code: 'LANE_NOT_FOUND', message: expect.stringContaining('nowhere')},
    });
    await client.close();
  });
});
