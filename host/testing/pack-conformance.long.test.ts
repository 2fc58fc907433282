import {expect, test} from 'vitest';
import {makePackFolder, manifestOf, toolOf} from './fixtures/pack-folder.ts';
import {judgeDeclaration, judgeScopes} from './judge-declaration.ts';
import {judgeInterrupted, judgeRun} from './judge-run.ts';
import {packConformance, type ConformanceOptions} from './pack-conformance.ts';
import type {ExampleRun} from './run-example.ts';

const schemas = '    input_schema: {type: object, examples: [{}]}\n    output_schema: {type: object}\n';
const write = "    permission: write\n    required_scopes: [{type: path, pattern: '**', access: write}]\n";

async function findings(
  files: Readonly<Record<string, string>>,
  options?: ConformanceOptions,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const checks = await packConformance(makePackFolder(files), options);
  return Object.fromEntries(
    checks.filter((check) => check.findings.length > 0).map((check) => [check.name, check.findings]),
  );
}

test('finds nothing in a valid pack, which may require approval', async () => {
  const rule = '{id: ask, trigger: on_tool_request, decision: approval_required}';
  const files = {
    'manifest.yaml': manifestOf(toolOf('notes:add', 'add', write + schemas), `policies: [${rule}]\n`),
    'tools.ts': `export const add = async (_input: unknown, ctx: any) => { await ctx.fs.write('a.txt', 'b'); return {}; };`,
  };
  const checks = await packConformance(makePackFolder(files));
  for (const check of checks) check.run();
  expect(checks.map(({name}) => name)).toEqual([
    'loads: manifest, schemas, imports and factories',
    'notes:add says what it does, takes and gives',
    'notes:add succeeds on its examples, with no more network and environment than it declares',
    'notes:add asks for no more than it uses',
    'notes:add ends when it is cancelled',
    'notes:add ends at its time limit',
  ]);
});

test("reports a careless pack's mistakes, and the check throws them", async () => {
  const read = write.replace('permission: write', 'permission: read');
  const files = {
    'manifest.yaml': manifestOf(
      toolOf('notes:sly', 'sly', read + schemas) +
        toolOf('notes:idle', 'idle', write + schemas) +
        toolOf('notes:online', 'online', `    permission: read\n${schemas}`) +
        toolOf('notes:mute', 'idle', '    permission: read\n    input_schema: {type: object, required: [a]}\n'),
    ),
    'tools.ts': `
      import {lookup} from 'node:dns/promises';
      export const sly = async (_input: unknown, ctx: any) => { await ctx.fs.write('sly.txt', 'x'); return {}; };
      export const idle = () => ({});
      export const online = async () => { await lookup('example.com'); return {}; };`,
  };
  const found = await findings(files);
  const runs = 'succeeds on its examples, with no more network and environment than it declares';
  expect(found).toEqual({
    'notes:sly asks for no more than it uses': [expect.stringContaining('its permission is `read`')],
    'notes:sly writes nothing': ['it changed `sly.txt`'],
    'notes:idle asks for no more than it uses': [expect.stringContaining('no example changes a file')],
    [`notes:online ${runs}`]: [expect.stringContaining('TOOL_EXECUTION_FAILED')],
    'notes:mute says what it does, takes and gives': [expect.stringContaining('no output_schema')],
    [`notes:mute ${runs}`]: [expect.stringContaining('there is none')],
  });
  const checks = await packConformance(makePackFolder(files));
  expect(() => checks.find(({name}) => name === 'notes:sly writes nothing')?.run()).toThrow('- it changed `sly.txt`');
});

test('judges only the declaration of an exempt tool', async () => {
  const broken = write.replace('permission: write', 'permission: read');
  const files = {
    'manifest.yaml': manifestOf(toolOf('notes:late', 'late', broken)),
    'tools.ts': `export const late = () => { throw new Error('not yet'); };`,
  };
  const exempt = {'notes:late': 'it goes on with what others have begun'};
  const checks = await packConformance(makePackFolder(files), {exempt});
  expect(checks.map(({name}) => name)).toEqual([
    'loads: manifest, schemas, imports and factories',
    'notes:late says what it does, takes and gives',
  ]);
  expect(checks[1]?.findings).toHaveLength(2);
  expect(await findings(files, {exempt: {...exempt, 'notes:lost': 'it is gone'}})).toMatchObject({
    'exempts tools that there are': ['`notes:lost` is exempt and no tool of the pack'],
  });
});

test('gives each example the same workspace', async () => {
  const prepared: string[] = [];
  const files = {
    'manifest.yaml': manifestOf(toolOf('notes:add', 'add', write + schemas)),
    'tools.ts': `export const add = async ({path}: {path: string}, ctx: any) => {
      await ctx.fs.write(path, await ctx.fs.readText('given.txt'), {exclusive: true});
      return {};
    };`,
  };
  const examples = {'notes:add': [{path: 'a.txt'}, {path: 'a.txt'}]};
  const options = {files: {'given.txt': 'x'}, examples, prepare: (root: string) => void prepared.push(root)};
  expect(await findings(files, options)).toEqual({});
  // Two examples, a cancelled call and a timed-out call.
  expect(prepared).toHaveLength(4);
});

test('throws the problems of a pack that cannot be loaded', async () => {
  await expect(findings({'manifest.yaml': manifestOf(toolOf('notes:add', 'add', write))})).rejects.toMatchObject({
    code: 'LOAD_FAILED',
  });
});

test('judges declarations', () => {
  const declaration = {name: 'a:b', description: 'Adds', handler_entry: 'a.ts#b', permission: 'write'} as const;
  expect(judgeDeclaration(declaration)).toEqual([
    expect.stringContaining('one word'),
    expect.stringContaining('no input_schema'),
    expect.stringContaining('no output_schema'),
  ]);
  const network = {...declaration, required_scopes: [{type: 'network', posture: 'full'} as const]};
  expect(judgeScopes(network, {ran: true, wrote: []})).toEqual([expect.stringContaining('full network access')]);
});

test('judges runs', () => {
  const run = (output: ExampleRun['output'], text = ''): ExampleRun => ({input: {a: 1}, output, changed: [], text});
  const failed = run({success: false, error: {code: 'TOOL_CRASHED', message: 'gone'}});
  expect(judgeRun(run({success: true}, 'env: c4n4ry'), 'c4n4ry')).toEqual([
    'with {"a":1} it shows an environment variable that it does not declare',
  ]);
  expect(judgeRun(failed, 'c4n4ry')).toEqual(['with {"a":1} it answers TOOL_CRASHED: gone']);
  expect(judgeInterrupted(run({success: true}), 'TOOL_TIMEOUT')).toEqual([]);
  expect(judgeInterrupted(run({success: false, error: {code: 'TOOL_TIMEOUT', message: ''}}), 'TOOL_TIMEOUT')).toEqual(
    [],
  );
  expect(judgeInterrupted(failed, 'TOOL_TIMEOUT')).toEqual(['it answers TOOL_CRASHED instead of TOOL_TIMEOUT: gone']);
});
