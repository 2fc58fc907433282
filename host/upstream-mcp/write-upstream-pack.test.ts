import type {PackPin} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {describeUpstream} from './describe-upstream.ts';
import {writeUpstreamPack} from './write-upstream-pack.ts';

test('a server with too many tools is reported with their number', async () => {
  const names = Array.from({length: 5_000}, (_, index) => `tool_${index}`);
  const pin: PackPin = {
    id: 'scales',
    version: '1.0.0',
    integrity: 'dev',
    source: 'mcp',
    command: ['scales'],
    tools: Object.fromEntries(names.map((name) => [name, {permission: 'read' as const}])),
  };
  const tools = names.map((name) => ({name, description: 'x'.repeat(1_900), inputSchema: {type: 'object'}}));
  const described = describeUpstream(pin, {server: {name: 'scales', version: '1.0.0'}, tools});
  if (!described.ok) throw new Error(described.problem.message);
  expect(await writeUpstreamPack('/not/written', pin, described.value)).toMatchObject({
    ok: false,
    problem: {
      message: expect.stringContaining('the 5000 tools of the pack `scales` are too many'),
      help: expect.stringMatching(/^keep about \d+ of them in the pin/u),
    },
  });
});
