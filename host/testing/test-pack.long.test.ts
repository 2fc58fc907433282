import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {makePackFolder, manifestOf, toolOf} from './fixtures/pack-folder.ts';
import {testPack, type TestedPack, type TestPackOptions} from './test-pack.ts';

const scopes = "    required_scopes: [{type: path, pattern: '**', access: write}]\n    permission: write\n";
const files = {
  'manifest.yaml': manifestOf(
    toolOf('notes:add', 'add', `${scopes}    required_env: [NOTE_AUTHOR]\n`) +
      toolOf('notes:fast', 'fast', '    permission: read\n    handler: in_process\n'),
    'config_key: notes\nconfig_schema: config.schema.json\n',
  ),
  'config.schema.json': '{"type": "object", "required": ["folder"], "properties": {"folder": {"type": "string"}}}',
  'tools.ts': `
    export const add = async ({text}: {text: string}, ctx: any) => {
      await ctx.fs.write(ctx.config.folder + '/note.txt', ctx.env.NOTE_AUTHOR + ': ' + text);
      return {lane: ctx.lane_id, given: await ctx.fs.readText('given.txt')};
    };
    export const fast = () => ({});`,
};

async function start(
  options: TestPackOptions = {},
  changes: Readonly<Record<string, string>> = {},
): Promise<TestedPack> {
  const pack = await testPack(makePackFolder({...files, ...changes}), {config: {folder: 'notes'}, ...options});
  onTestFinished(() => pack.close());
  return pack;
}

test("calls go through the whole pipeline, with the test's config, files and environment", async () => {
  const pack = await start({files: {'given.txt': 'here'}, env: {NOTE_AUTHOR: 'Ada'}});
  const output = await pack.call('notes:add', {text: 'hello'});
  expect(output).toMatchObject({success: true, data: {lane: 'main', given: 'here'}});
  expect(readFileSync(join(pack.root, 'notes/note.txt'), 'utf8')).toBe('Ada: hello');
  const receipt = await pack.host.runtime.evidence.receipt(String(output.metadata?.receipt_id));
  expect(receipt?.finished).toMatchObject({result: 'success'});
  expect(pack.session.by).toBe('test');
});

test("the lane limits the tools' access", async () => {
  const lane = {id: 'narrow', allowed_scopes: [{type: 'path' as const, pattern: 'given.txt', access: 'read' as const}]};
  const pack = await start({env: {NOTE_AUTHOR: 'Ada'}, files: {'given.txt': 'here'}, lane});
  expect((await pack.call('notes:add', {text: 'hello'})).error?.code).toBe('SCOPE_DENIED');
});

test.each([
  ['sandboxed', 'sandbox'],
  ['in_process', 'pool'],
] as const)('trust %s: a handler that asks for the pool runs in the %s', async (trust, mode) => {
  const pack = await start({trust});
  const {metadata} = await pack.call('notes:fast', {});
  const receipt = await pack.host.runtime.evidence.receipt(String(metadata?.receipt_id));
  expect(JSON.stringify(receipt)).toContain(`"execution_mode":"${mode}"`);
});

test('a pack of programs calls tools of the packs beside it', async () => {
  const notes = makePackFolder({...files, 'config.schema.json': '{"type": "object"}'});
  const pack = await testPack(
    makePackFolder({
      'manifest.yaml': manifestOf(
        '  - {name: flow:fast, description: calls it, handler_entry: flow.yaml, permission: read}\n',
      ).replace('id: notes', 'id: flow'),
      'flow.yaml': 'name: flow\nsteps: [{call: notes:fast, as: found}, {return: "${json(found)}"}]\n',
    }),
    {packs: [notes]},
  );
  onTestFinished(() => pack.close());
  expect(await pack.call('flow:fast', {})).toMatchObject({success: true, data: '{}'});
});

test('closing removes the workspace', async () => {
  const pack = await start();
  await pack.close();
  expect(existsSync(pack.root)).toBe(false);
});

test.each<[string, Readonly<Record<string, string>>, TestPackOptions, string]>([
  ['a manifest that is none', {'manifest.yaml': 'id: notes\n'}, {}, 'version'],
  ['a config that does not fit', {}, {config: {}}, '`folder` is missing'],
  ['an entry that is missing', {'tools.ts': 'export const add = () => ({});'}, {}, 'fast'],
  ['a file beside the workspace', {}, {files: {'../x': ''}}, 'not a path below'],
])('refuses %s', async (_name, changes, options, message) => {
  await expect(start(options, changes)).rejects.toThrow(message);
});

test('rejects a config for a pack that does not accept one', async () => {
  const changes = {'manifest.yaml': manifestOf(toolOf('notes:add', 'add', scopes))};
  await expect(start({}, changes)).rejects.toThrow('has no config_key');
});

/** A module that fails as it is imported, and one that exports no handler. */
const unusable = {
  'manifest.yaml': manifestOf(
    toolOf('notes:requires', 'requires', '    permission: read\n') +
      toolOf('notes:object', 'object', '    permission: read\n').replace('tools.ts', 'object.cjs'),
  ),
  'tools.ts': `import {createRequire} from 'node:module';
    createRequire(import.meta.url)('./nothing.cjs'); export const requires = () => 1;`,
  'object.cjs': `exports.object = {run: () => 1};`,
};

test.each([
  ['requires', "the module `tools.ts` cannot be imported: Cannot find module './nothing.cjs'"],
  ['object', 'the export `object` of `object.cjs` is neither a tool made by defineTool nor a function'],
])('names the source of the handler `%s`, which cannot be loaded', async (name, message) => {
  const pack = await testPack(makePackFolder(unusable));
  onTestFinished(() => pack.close());
  expect((await pack.call(`notes:${name}`, {})).error?.message).toBe(message);
});

const broken = {
  'manifest.yaml': manifestOf(
    toolOf('notes:nothing', 'nothing', '    permission: read\n    output_schema: {type: object, required: [text]}\n') +
      ['unread', 'unreached', 'late', 'exits']
        .map((name) => toolOf(`notes:${name}`, name, '    permission: read\n'))
        .join(''),
  ),
  'tools.ts': `import {readFileSync} from 'node:fs';
    export const nothing = () => {};
    export const unread = () => readFileSync('README.md', 'utf8');
    export const unreached = async () => await fetch('http://192.0.2.1/');
    export const late = async () => { void Promise.reject(new Error('forgotten')); await new Promise((done) => setTimeout(done, 60_000)); };
    export const exits = () => process.exit(3);`,
};

test.each([
  ['nothing', 'INVALID_OUTPUT', 'the handler returned nothing, is a `return` missing?', {}],
  ['unread', 'TOOL_EXECUTION_FAILED', "open 'README.md'", {remedy: expect.stringContaining('required_scopes')}],
  ['unreached', 'TOOL_EXECUTION_FAILED', 'fetch failed: ', {remedy: expect.stringContaining('type: network')}],
  [
    'late',
    'TOOL_EXECUTION_FAILED',
    'is an `await` missing? forgotten',
    {stack: expect.stringMatching(/tools\.ts:5:\d+/u)},
  ],
  ['exits', 'TOOL_CRASHED', '`process.exit(3)`', {stack: expect.stringMatching(/tools\.ts:6:\d+/u)}],
])('explains the mistake of the handler `%s`', async (name, code, message, details) => {
  const pack = await testPack(makePackFolder(broken), {files: {'README.md': 'here'}});
  onTestFinished(() => pack.close());
  const {error} = await pack.call(`notes:${name}`, {});
  expect(error).toMatchObject({code, message: expect.stringContaining(message), details});
});

test.each([
  ['loops', 'for (;;);', ': its time ended while its module was imported$'],
  ['late', '', 'did not finish within 1000 ms$'],
])('says whether the time of a call ended at its import: %s', async (_name, atImport, message) => {
  const pack = await testPack(
    makePackFolder({
      'manifest.yaml': manifestOf(toolOf('notes:slow', 'slow', '    permission: read\n    timeout_ms: 1000\n')),
      'tools.ts': `${atImport}export const slow = () => {for (;;);};`,
    }),
  );
  onTestFinished(() => pack.close());
  const {error} = await pack.call('notes:slow', {});
  expect(error).toMatchObject({code: 'TOOL_TIMEOUT', message: expect.stringMatching(message)});
});
