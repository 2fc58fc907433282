// A pack's author begins: what `pack create` writes is sound, its tests pass, and mistakes are reported in every format.
import {execFile} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {assertBuilt, runCommandForJson, runCommand, type Ran} from '../../support/lumenflow-program.ts';

// Inside the repository, so that the packages are found as they are once installed.
const scratch = join(import.meta.dirname, '../../../node_modules/.cache');
let home: string;
let pack: string;

const lumenflow = (...args: readonly string[]): Promise<Ran> => runCommand(args, {cwd: pack});

beforeAll(async () => {
  assertBuilt();
  mkdirSync(scratch, {recursive: true});
  home = mkdtempSync(join(scratch, 'authors-'));
  pack = join(home, 'team/notes');
  const created = await runCommand(['pack', 'create', 'team/notes'], {cwd: home});
  expect(created.code, created.stderr).toBe(0);
  expect(created.stderr).toContain('cd team/notes');
  expect(created.stderr).not.toContain('npm install');
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

describe('a new pack', () => {
  test('passes its own tests', async () => {
    const {stdout} = await promisify(execFile)('npm', ['test', '--silent'], {cwd: pack}).catch(
      (error: unknown) => error as {stdout: string},
    );
    expect(stdout).toMatch(/^(?:#|ℹ) fail 0$/m);
    expect(Number(/(?:#|ℹ) pass (\d+)/.exec(stdout)?.[1])).toBeGreaterThan(7);
  });

  test('compiles', async () => {
    await expect(promisify(execFile)('npm', ['run', '--silent', 'check'], {cwd: pack})).resolves.toBeDefined();
  });

  test('validates, without a warning', async () => {
    const {document} = await runCommandForJson(['pack', 'validate'], {cwd: pack});
    expect(document).toMatchObject({ok: true, id: 'notes', tools: ['notes:greet'], problems: []});
  });

  test('can be called immediately, and its rule applies', async () => {
    expect(await lumenflow('tools', 'call', 'notes:greet', 'name=Ada')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Hello, Ada'),
    });
    const denied = await lumenflow('tools', 'call', 'notes:greet', 'name=Bob');
    expect(denied).toMatchObject({code: 1, stderr: expect.stringContaining('never-greet')});
  });

  test('names schemas that are there, for editors', () => {
    for (const file of ['manifest.yaml', 'workspace.yaml']) {
      const path = /\$schema=(\S+)/.exec(readFileSync(join(pack, file), 'utf8'))?.[1];
      expect(JSON.parse(readFileSync(join(pack, String(path)), 'utf8'))).toHaveProperty('$schema');
    }
  });
});

describe('a pack whose tools are declared in their code', () => {
  const change = (folder: string, from: string, to: string): void => {
    const file = join(folder, 'tools/greet.ts');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(file, text.replace(from, to));
  };

  test('passes its own tests, compiles and validates, and its manifest is fresh', async () => {
    const made = await runCommand(['pack', 'create', 'single', '--single-file'], {cwd: home});
    expect(made.code, made.stderr).toBe(0);
    const cwd = join(home, 'single');
    const {stdout} = await promisify(execFile)('npm', ['test', '--silent'], {cwd}).catch(
      (error: unknown) => error as {stdout: string},
    );
    expect(stdout).toMatch(/^(?:#|ℹ) fail 0$/m);
    await expect(promisify(execFile)('npm', ['run', '--silent', 'check'], {cwd})).resolves.toBeDefined();
    expect((await runCommandForJson(['pack', 'manifest', '--check'], {cwd})).document).toMatchObject({changed: []});
    expect((await runCommandForJson(['pack', 'validate', '--run'], {cwd})).document).toMatchObject({
      tools: ['single:greet'],
      problems: [],
    });
  });

  test('is stale after a change of a schema, with the command that mends it, and then the call works', async () => {
    const cwd = join(home, 'stale');
    expect((await runCommand(['pack', 'create', 'stale', '--single-file'], {cwd: home})).code).toBe(0);
    change(cwd, 'z.strictObject({name: z.string().min(1)})', 'z.strictObject({name: z.string(), loud: z.boolean()})');
    change(cwd, "[{name: 'Ada'}]", "[{name: 'Ada', loud: true}]");
    const loud = ['tools', 'call', 'stale:greet', 'name=Ada', 'loud=true'];
    expect(await runCommand(loud, {cwd})).toMatchObject({code: 1, stderr: expect.stringContaining('INVALID_INPUT')});
    const stale = await runCommand(['pack', 'validate'], {cwd});
    expect(stale).toMatchObject({code: 1, stderr: expect.stringContaining('MANIFEST_STALE')});
    expect(stale.stderr).toContain('fix: run `lumenflow pack manifest`');
    expect((await runCommand(['pack', 'manifest'], {cwd})).code).toBe(0);
    expect((await runCommand(['pack', 'validate'], {cwd})).code).toBe(0);
    expect(await runCommand(loud, {cwd})).toMatchObject({code: 0, stdout: expect.stringContaining('Hello, Ada')});
  });
});

describe('a pack with a program', () => {
  test('passes its own tests, compiles, validates, and can be called', async () => {
    const made = await runCommand(['pack', 'create', 'people', '--program'], {cwd: home});
    expect(made.code, made.stderr).toBe(0);
    const cwd = join(home, 'people');
    const {stdout} = await promisify(execFile)('npm', ['test', '--silent'], {cwd}).catch(
      (error: unknown) => error as {stdout: string},
    );
    expect(stdout).toMatch(/^(?:#|ℹ) fail 0$/m);
    await expect(promisify(execFile)('npm', ['run', '--silent', 'check'], {cwd})).resolves.toBeDefined();
    const {document} = await runCommandForJson(['pack', 'validate', '--run'], {cwd});
    expect(document).toMatchObject({tools: ['people:greet-all', 'people:greet'], problems: []});
    expect(await runCommand(['tools', 'call', 'people:greet-all', 'names=Ada,Bob'], {cwd})).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Hello, Bob'),
    });
    const checked = await runCommandForJson(['program', 'check', 'programs/greet-all.yaml'], {cwd});
    expect(checked.document).toMatchObject({problems: []});
  });

  test('is not also one of a single file', async () => {
    const both = await runCommand(['pack', 'create', 'both', '--program', '--single-file'], {cwd: home});
    expect(both).toMatchObject({code: 2, stderr: expect.stringContaining('exclude each other')});
  });
});

describe('pack create', () => {
  test('says with --json what it wrote, and asks for an install where nothing is', async () => {
    const {document} = await runCommandForJson(['pack', 'create', 'other'], {cwd: home});
    expect(document).toMatchObject({ok: true, id: 'other', folder: join(home, 'other')});
    const far = mkdtempSync('/tmp/lumenflow-author-');
    try {
      expect((await runCommand(['pack', 'create', 'far'], {cwd: far})).stderr).toContain('npm install');
      // As the packages come from this checkout, the pack is installed with them and not from a registry.
      const {dependencies, devDependencies} = JSON.parse(readFileSync(join(far, 'far/package.json'), 'utf8')) as Record<
        string,
        Record<string, string>
      >;
      for (const [name, range] of Object.entries({...dependencies, ...devDependencies})) {
        if (!name.startsWith('@lumenflow/')) continue;
        const folder = join(far, 'far', range.replace(/^file:/, ''));
        expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({name});
      }
    } finally {
      rmSync(far, {recursive: true});
    }
  });

  test('never writes over anything', async () => {
    const again = await runCommand(['pack', 'create', 'team/notes'], {cwd: home});
    expect(again).toMatchObject({code: 2, stderr: expect.stringMatching(/is\s+not\s+empty/)});
  });

  test.each(['Notes', '1st', 'a_b', 'ä', 'x'.repeat(41)])('refuses the name %s', async (name) => {
    const {code, document} = await runCommandForJson(['pack', 'create', name], {cwd: home});
    expect({code, document}).toMatchObject({code: 2, document: {error: {code: 'USAGE'}}});
  });
});

describe('pack validate, once something is wrong', () => {
  interface Sarif {
    readonly runs: readonly {readonly results: readonly {readonly ruleId: string; readonly locations: unknown}[]}[];
  }

  async function withBroken(file: string, from: string, to: string, look: () => Promise<void>): Promise<void> {
    const text = readFileSync(join(pack, file), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(pack, file), text.replace(from, to));
    try {
      await look();
    } finally {
      writeFileSync(join(pack, file), text);
    }
  }

  test('an example that does not match its schema is an error at its position', async () => {
    await withBroken('manifest.yaml', 'examples: [{name: Ada}]', 'examples: [{name: 1}]', async () => {
      const {code, document} = await runCommandForJson(['pack', 'validate'], {cwd: pack});
      expect(code).toBe(1);
      expect(document['error']).toMatchObject({
        details: {problems: [{code: 'PACK_EXAMPLE_INVALID', where: 'manifest.yaml:23:18'}]},
      });
    });
  });

  test('a scope that a workspace would reject is an error at its position', async () => {
    await withBroken(
      'manifest.yaml',
      'required_scopes: []',
      "required_scopes: [{type: path, pattern: '../x/**', access: read}]",
      async () => {
        const {code, document} = await runCommandForJson(['pack', 'validate'], {cwd: pack});
        expect(code).toBe(1);
        expect(document['error']).toMatchObject({
          details: {problems: [{code: 'SCOPE_PATTERN_INVALID', where: 'manifest.yaml:17:45'}]},
        });
      },
    );
  });

  test('SARIF gives rule and place, relative to the folder it is run from', async () => {
    await withBroken('manifest.yaml', 'tools/greet.ts#greet', 'tools/gone.ts#greet', async () => {
      const {code, stdout, stderr} = await runCommand(['pack', 'validate', 'team/notes', '--format', 'sarif'], {
        cwd: home,
      });
      expect({code, stderr}).toEqual({code: 1, stderr: ''});
      expect((JSON.parse(stdout) as Sarif).runs[0]?.results).toEqual([
        expect.objectContaining({
          ruleId: 'PACK_ENTRY_MISSING',
          level: 'error',
          locations: [
            expect.objectContaining({
              physicalLocation: {
                artifactLocation: {uri: 'team/notes/manifest.yaml'},
                region: {startLine: 14, startColumn: 20},
              },
            }),
          ],
        }),
      ]);
    });
  });

  test('a manifest that cannot be read is in the SARIF too', async () => {
    await withBroken('manifest.yaml', 'permission: read', 'permission: root', async () => {
      const {code, stdout} = await lumenflow('pack', 'validate', '--format', 'sarif');
      const [result] = (JSON.parse(stdout) as Sarif).runs[0]?.results ?? [];
      expect({code, result}).toMatchObject({code: 1, result: {ruleId: 'PACK_MANIFEST_INVALID'}});
      expect(JSON.stringify(result)).toContain('"uri":"manifest.yaml"');
    });
  });

  test('--format json is --json, and text is for people', async () => {
    await withBroken('tools/greet.ts', '@lumenflow/pack-sdk', '@lumenflow/kernel', async () => {
      const json = await lumenflow('pack', 'validate', '--format', 'json');
      expect(JSON.parse(json.stdout)).toMatchObject({ok: false, error: {code: 'PACK_INVALID'}});
      const text = await lumenflow('pack', 'validate', '--format', 'text');
      expect(text).toMatchObject({code: 1, stdout: ''});
      expect(text.stderr).toContain('✘ tools/greet.ts:1:26 PACK_IMPORT_FORBIDDEN');
      expect(text.stderr).toContain("1 | import {defineTool} from '@lumenflow/kernel';");
      const above = await runCommand(['pack', 'validate', 'team/notes'], {cwd: home});
      expect(above.stderr).toContain('✘ team/notes/tools/greet.ts:1:26 ');
      expect(above.stderr).toContain("1 | import {defineTool} from '@lumenflow/kernel';");
    });
  });

  test('--run reports a module that cannot be imported, and one whose import does not end', async () => {
    const loops = "import {defineTool} from '@lumenflow/pack-sdk';\nfor (;;);\n";
    await withBroken('tools/greet.ts', "import {defineTool} from '@lumenflow/pack-sdk';\n", loops, async () => {
      expect((await lumenflow('pack', 'validate')).code).toBe(0);
      const {code, document} = await runCommandForJson(['pack', 'validate', '--run'], {cwd: pack});
      expect({code, document}).toMatchObject({
        code: 1,
        document: {error: {details: {problems: [{code: 'PACK_IMPORT_FAILED', where: 'tools/greet.ts'}]}}},
      });
      expect(JSON.stringify(document)).toContain('did not end within 10 s');
    });
  });

  test('sound packs give an empty SARIF; other formats and folders without a pack are refused', async () => {
    const {stdout} = await lumenflow('pack', 'validate', '--format', 'sarif');
    expect((JSON.parse(stdout) as Sarif).runs[0]?.results).toEqual([]);
    expect((await lumenflow('pack', 'validate', '--format', 'xml')).code).toBe(2);
    expect((await lumenflow('pack', 'validate', './tools', '--format', 'sarif')).code).toBe(2);
  });
});
