// A pack's author at work: the pack is watched, a call is repeated if its result may differ, and types and manifest follow
// each other.
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {
  assertBuilt,
  ended,
  runCommandForJson,
  runCommand,
  startProgram,
  type Ran,
} from '../../support/lumenflow-program.ts';

// Inside the repository, so that the packages are found as they are once installed.
const scratch = join(import.meta.dirname, '../../../node_modules/.cache');
const patience = {timeout: 60_000, interval: 20};
let home: string;
let pack: string;

const greet = (word: string): string => `export const greet = ({name}) => ({greeting: '${word} ' + name});\n`;
const write = (path: string, text: string): void => writeFileSync(join(pack, path), text);
const read = (path: string): string => readFileSync(join(pack, path), 'utf8');
const lumenflow = (...args: readonly string[]): Promise<Ran> => runCommand(args, {cwd: pack});

beforeEach(async () => {
  assertBuilt();
  mkdirSync(scratch, {recursive: true});
  home = mkdtempSync(join(scratch, 'loop-'));
  pack = join(home, 'notes');
  expect((await runCommand(['pack', 'create', 'notes'], {cwd: home})).code).toBe(0);
});
afterEach(() => rmSync(home, {recursive: true, force: true}));

interface Line extends Record<string, unknown> {
  readonly ok: boolean;
}

/** A command that keeps running and prints a JSON document on each line. */
function watching(...args: readonly string[]) {
  // A home in the pack would change it: hosts keep a key there.
  const child = startProgram([...args, '--json'], {cwd: pack, env: {HOME: home}});
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const end = ended(child);
  const lines = (): readonly Line[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  return {
    lines,
    /** The line of this number, from 0, once it is there. */
    line: async (index: number): Promise<Line> =>
      await vi.waitFor(() => {
        const found = lines()[index];
        if (!found) throw new Error(`there is no line ${index} yet: ${text}`);
        return found;
      }, patience),
    say: (line: string): void => void child.stdin?.write(`${line}\n`),
    async stop(): Promise<Ran> {
      child.kill('SIGINT');
      return await end;
    },
    ended: end,
  };
}

describe('pack dev', () => {
  test('shows the pack, makes the call again when its code changes, keeps what ran when an edit is broken', async () => {
    const dev = watching('pack', 'dev', '--call', 'greet {"name": "Ada"}');
    expect(await dev.line(0)).toMatchObject({
      event: 'pack',
      status: 'loaded',
      pack: 'notes 0.1.0',
      tools: [{name: 'notes:greet', decision: 'allow'}],
      problems: [],
    });
    expect(await dev.line(1)).toMatchObject({
      ok: true,
      event: 'call',
      tool: 'notes:greet',
      data: {greeting: 'Hello, Ada'},
      policy_decisions: [{decision: 'allow'}],
    });

    write('tools/greet.ts', greet('Ciao'));
    expect(await dev.line(2)).toMatchObject({event: 'pack', status: 'loaded'});
    expect(await dev.line(3)).toMatchObject({event: 'call', data: {greeting: 'Ciao Ada'}});

    write('README.md', 'nothing that a call could tell');
    expect(await dev.line(4)).toMatchObject({event: 'pack', status: 'loaded'});
    write('tools/greet.ts', 'export const greet = (;\n');
    expect(await dev.line(5)).toMatchObject({
      event: 'pack',
      status: 'failed',
      tools: [{name: 'notes:greet'}],
      problems: [{where: 'tools/greet.ts:1:23', code: 'PACK_CODE_INVALID'}],
    });

    dev.say('c');
    expect(await dev.line(6)).toMatchObject({event: 'call', data: {greeting: 'Ciao Ada'}});
    dev.say('notes:greet {"name": "Bob"}');
    expect(await dev.line(7)).toMatchObject({ok: false, event: 'call', error: {code: 'POLICY_DENIED'}});
    dev.say('nope');
    expect(await dev.line(8)).toMatchObject({ok: false, error: {code: 'TOOL_NOT_FOUND'}});
    dev.say('greet {');
    expect(await dev.line(9)).toMatchObject({ok: false, error: {code: 'INVALID_ARGUMENT'}});
    await dev.stop();
    expect(dev.lines()).toHaveLength(10);
  });

  test('starts on a pack that is broken, and follows workspace.yaml', async () => {
    const manifest = read('manifest.yaml');
    write('manifest.yaml', 'id: [');
    const dev = watching('pack', 'dev');
    expect(await dev.line(0)).toMatchObject({event: 'pack', status: 'failed', pack: null, tools: []});
    write('manifest.yaml', manifest);
    expect(await dev.line(1)).toMatchObject({status: 'loaded', pack: 'notes 0.1.0'});
    write('workspace.yaml', read('workspace.yaml').replace('default_decision: allow', 'default_decision: deny'));
    expect(await dev.line(2)).toMatchObject({status: 'loaded', tools: [{decision: 'deny'}]});
    await dev.stop();
  });

  test('without a workspace uses a temporary one; for people it shows the source of what is wrong', async () => {
    rmSync(join(pack, 'workspace.yaml'));
    write('tools/greet.ts', 'export const greet = (;\n');
    const child = startProgram(['pack', 'dev'], {cwd: pack});
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await vi.waitFor(() => expect(text).toContain('1 | export const greet = (;'), patience);
    expect(text).toContain('in a temporary workspace');
    expect(text).toContain(`${' '.repeat(22)}^`);
    child.stdin?.write('q\n');
    expect((await ended(child)).code).toBe(0);
  });
});

test('pack dev generates the manifest of a pack whose tools are declared in code', async () => {
  expect((await runCommand(['pack', 'create', 'single', '--single-file'], {cwd: home})).code).toBe(0);
  pack = join(home, 'single');
  const dev = watching('pack', 'dev', '--call', 'greet {"name": "Ada"}');
  expect(await dev.line(0)).toMatchObject({status: 'loaded', written: []});
  expect(await dev.line(1)).toMatchObject({ok: true, event: 'call'});
  write('tools/greet.ts', read('tools/greet.ts').replace('name: z.string().min(1)', 'name: z.string().min(9)'));
  expect(await dev.line(2)).toMatchObject({status: 'loaded', written: ['single:greet']});
  expect(await dev.line(3)).toMatchObject({ok: false, event: 'call', error: {code: 'INVALID_INPUT'}});
  write('tools/greet.ts', read('tools/greet.ts').replace("permission: 'read'", "permission: 'root'"));
  const failed = {status: 'failed', problems: [{code: 'PACK_MANIFEST_INVALID', where: 'tools/greet.ts:4:14'}]};
  await vi.waitFor(() => expect(dev.lines().at(-1)).toMatchObject(failed), patience);
  await dev.stop();
});

test('pack validate --watch reports immediately and after every change', async () => {
  const watch = watching('pack', 'validate', '--watch');
  expect(await watch.line(0)).toMatchObject({ok: true, id: 'notes'});
  write('tools/greet.ts', 'export const greet = (;\n');
  expect(await watch.line(1)).toMatchObject({ok: false, error: {code: 'PACK_INVALID'}});
  write('tools/greet.ts', greet('Ciao'));
  expect(await watch.line(2)).toMatchObject({ok: true, id: 'notes'});
  await watch.stop();
});

describe('pack types', () => {
  test('are fresh in a new pack, stale once the manifest changes, and fresh again when they were written', async () => {
    expect(await runCommandForJson(['pack', 'types', '--check'], {cwd: pack})).toMatchObject({
      code: 0,
      document: {changed: false},
    });
    write('manifest.yaml', read('manifest.yaml').replace('{name: {type', '{times: {type: integer}, name: {type'));
    expect(await runCommandForJson(['pack', 'types', '--check'], {cwd: pack})).toMatchObject({
      code: 1,
      document: {error: {code: 'TYPES_STALE'}},
    });
    expect((await lumenflow('pack', 'types')).code).toBe(0);
    expect(read('pack-types.ts')).toContain('times?: number;');
    expect((await lumenflow('pack', 'types', '--check')).code).toBe(0);
  });
});

describe('pack manifest', () => {
  const withSchema = (schemas: string, library: string): void => {
    write(
      'tools/greet.ts',
      `import {defineTool} from '@lumenflow/pack-sdk';\n${library}\nconsole.log('noise');\nexport const greet = defineTool({${schemas}, run: () => ({greeting: ''})});\n`,
    );
    write(
      'package.json',
      JSON.stringify({dependencies: {'@lumenflow/pack-sdk': '*', zod: '*', valibot: '*', arktype: '*'}}),
    );
  };

  test.each([
    ['zod', 'input: z.object({name: z.string(), shout: z.boolean().default(false)})', "import {z} from 'zod';"],
    ['arktype', "input: type({name: 'string', shout: 'boolean = false'})", "import {type} from 'arktype';"],
  ])('is filled from schemas of %s; comments and examples stay', async (_library, schemas, library) => {
    withSchema(schemas, library);
    expect(await runCommandForJson(['pack', 'manifest', '--check'], {cwd: pack})).toMatchObject({
      code: 1,
      document: {error: {code: 'MANIFEST_STALE', details: {changed: ['notes:greet input_schema']}}},
    });
    const before = read('manifest.yaml');
    expect((await lumenflow('pack', 'manifest')).code).toBe(0);
    const {document} = await runCommandForJson(['tools', 'show', 'notes:greet'], {cwd: pack});
    expect(JSON.stringify(document)).toMatch(/"required":\["name"\]/);
    const after = read('manifest.yaml');
    expect(after).toMatch(/shout:\n +(default: false\n +)?type: boolean/);
    expect(after).toMatch(/examples:\n +- name: Ada/);
    const kept = before.split('\n').filter((line) => /^\s*#|description|handler_entry|output/.test(line));
    expect(kept.filter((line) => !after.includes(line))).toEqual([]);
    expect((await lumenflow('pack', 'manifest', '--check')).code).toBe(0);
    expect(read('manifest.yaml')).toBe(after);
  });

  test('names the schema that has no JSON Schema, and writes nothing', async () => {
    const before = read('manifest.yaml');
    withSchema('input: z.object({name: z.date()})', "import {z} from 'zod';");
    expect(await lumenflow('pack', 'manifest')).toMatchObject({code: 1, stderr: expect.stringContaining('Date')});
    withSchema('input: v.object({name: v.string()})', "import * as v from 'valibot';");
    expect(await lumenflow('pack', 'manifest')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('@valibot/to-json-schema'),
    });
    write('tools/greet.ts', "throw new Error('not today');\nexport const greet = 1;\n");
    expect(await lumenflow('pack', 'manifest')).toMatchObject({code: 1, stderr: expect.stringContaining('not today')});
    expect(read('manifest.yaml')).toBe(before);
  });
});
