// What people get wrong, and what the program says then.
import {mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {assertBuilt, makeFolder, runCommandForJson, runCommand} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const cwd = folder.path;
const run = (...args: string[]) => runCommand(args, {cwd});
const json = (...args: string[]) => runCommandForJson(args, {cwd});
beforeAll(async () => {
  assertBuilt();
  expect((await run('init', 'work')).code).toBe(0);
});
afterAll(() => folder.remove());

describe('a call', () => {
  it('of a misspelled tool reports the nearest one, and is recorded', async () => {
    const {code, stderr} = await run('-w', 'work', 'tools', 'call', 'file:raed');
    expect(code).toBe(1);
    expect(stderr).toContain('TOOL_NOT_FOUND');
    expect(stderr).toContain('did you mean `file:read`?');
    const listed = await json('-w', 'work', 'evidence', 'list', '--tool', 'file:raed');
    expect(listed.document['receipts']).toMatchObject([{finished: {error_code: 'TOOL_NOT_FOUND', result: 'denied'}}]);
  });

  it('with a wrong input names the field and how to see them all', async () => {
    const {code, stderr} = await run('-w', 'work', 'tools', 'call', 'file:read', 'pth=x');
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('/pth unknown key `pth` (did you mean `path`?');
    expect(stderr).toContain('lumenflow tools show file:read --workspace work');
  });

  it('of a hidden file is listed among the refused ones, and shows what was refused', async () => {
    expect((await run('-w', 'work', 'tools', 'call', 'file:read', 'path=.env')).stderr).toContain('SCOPE_DENIED');
    expect((await run('-w', 'work', 'tools', 'call', 'file:list')).code).toBe(0);
    const {document} = await json('-w', 'work', 'evidence', 'list', '--refused');
    expect(document['receipts']).toMatchObject([
      {started: {tool_name: 'file:read'}, finished: {error_code: 'SCOPE_DENIED'}},
    ]);
    const [{receipt_id}] = document['receipts'] as [{receipt_id: string}];
    const shown = await run('-w', 'work', 'evidence', 'show', receipt_id);
    expect(shown.stdout).toMatch(/\nREFUSED\npath +file \.env: /u);
  });

  it('of a handler that throws reports the position in its source', async () => {
    const root = join(cwd, 'a place');
    expect((await run('init', 'a place')).code).toBe(0);
    mkdirSync(join(root, 'pack/tools'), {recursive: true});
    const tool = {name: 'bad:throw', description: 'Throws', handler_entry: 'tools/bad.ts#bad', permission: 'read'};
    const manifest = {id: 'bad', version: '0.1.0', manifest_version: 1, task_types: ['odd'], tools: [tool]};
    writeFileSync(join(root, 'pack/manifest.yaml'), JSON.stringify(manifest));
    writeFileSync(
      join(root, 'pack/tools/bad.ts'),
      '// A comment.\nexport const bad = () => {\n  throw new Error("boom");\n};\n',
    );
    const file = join(root, 'workspace.yaml');
    const pin = '  - {id: bad, version: 0.1.0, integrity: dev, source: local, path: pack}';
    writeFileSync(file, readFileSync(file, 'utf8').replace('packs:\n', `packs:\n${pin}\n`));
    const {document} = await json('-w', 'a place', 'tools', 'call', 'bad:throw');
    expect(document).toMatchObject({
      error: {code: 'TOOL_EXECUTION_FAILED', message: 'boom', details: {where: 'pack/tools/bad.ts:3:9'}},
    });
    writeFileSync(join(root, 'pack/tools/bad.ts'), '\nthrow new Error("at once");\nexport const bad = 1;\n');
    const loading = await json('-w', 'a place', 'tools', 'call', 'bad:throw');
    expect(loading.document).toMatchObject({
      error: {
        message: 'the module `tools/bad.ts` cannot be imported: at once',
        details: {where: 'pack/tools/bad.ts:2:7'},
      },
    });
  });

  it('without a sandbox fails with the fix', async () => {
    const bin = join(cwd, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    const args = ['-w', 'work', 'tools', 'call', 'file:write', 'path=src/a', 'content=x'];
    const {code, stderr} = await runCommand(args, {cwd, env: {PATH: bin}});
    expect(code).toBe(1);
    expect(stderr).toContain('SANDBOX_UNAVAILABLE');
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('apt-get install bubblewrap');
    const doctor = await runCommandForJson(['sandbox', 'doctor'], {cwd, env: {PATH: bin}});
    expect(doctor).toMatchObject({
      code: 1,
      document: {ok: false, error: {code: 'SANDBOX_UNAVAILABLE'}, report: {tier: 'none'}},
    });
  });

  it('in a task that is not there, or not active, says what to do', async () => {
    expect((await run('-w', 'work', 'tools', 'call', 'file:list', '--task', 'gone')).stderr).toContain(
      'lumenflow task list',
    );
    await run('-w', 'work', 'task', 'create', 'waiting');
    const {code, stderr} = await run('-w', 'work', 'tools', 'call', 'file:list', '--task', 'waiting');
    expect(code).toBe(1);
    expect(stderr).toContain('claim it first: lumenflow task claim waiting');
  });

  it('shows nothing that a terminal would act on', async () => {
    writeFileSync(join(cwd, 'work', 'evil.txt'), 'a\u001b]0;owned\u0007\u009b2Jb');
    const {code, stdout} = await run('-w', 'work', 'tools', 'call', 'file:read', 'path=evil.txt');
    expect(code).toBe(0);
    expect(stdout).toContain('a\\x1b]0;owned\\x07\\x9b2Jb');
    expect(stdout).not.toMatch(/[\u001b\u0007\u009b]/);
    const {document} = await json('-w', 'work', 'tools', 'call', 'file:read', 'path=evil.txt');
    expect(document).toMatchObject({data: {content: 'a\u001b]0;owned\u0007\u009b2Jb'}});
  });
});

describe('a workspace', () => {
  it('that is missing from an empty folder is reported with the way to create one', async () => {
    const {code, stderr} = await run('tools', 'list');
    expect(code).toBe(2);
    expect(stderr).toContain('lumenflow init');
  });

  it('with three mistakes reports all three, each with its position and fix', async () => {
    const file = join(cwd, 'work', 'workspace.yaml');
    const sound = readFileSync(file, 'utf8');
    const broken = sound
      .replace("network_default: 'off'", "network_default: 'of'")
      .replace('wip_limit: 20', 'wip_limt: 20')
      .replace('default_decision: allow', 'default_decision: alow');
    writeFileSync(file, broken);
    const placeOf = (text: string): string => `${broken.slice(0, broken.indexOf(text)).split('\n').length}:`;
    const {code, stdout, stderr} = await run('-w', 'work', 'tools', 'list');
    const {document} = await json('-w', 'work', 'tools', 'list');
    writeFileSync(file, sound);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('LOAD_FAILED  the workspace cannot be loaded: 3 problems');
    for (const text of ["network_default: 'of'", 'wip_limt', 'default_decision: alow']) {
      expect(stderr).toContain(`✘ workspace.yaml:${placeOf(text)}`);
    }
    expect(stderr).toContain('did you mean `wip_limit`?');
    const {error} = document as unknown as {error: {details: {problems: unknown[]}}};
    expect(error.details.problems).toHaveLength(3);
    for (const problem of error.details.problems) {
      expect(problem).toMatchObject({
        code: 'WORKSPACE_INVALID',
        where: expect.stringMatching(/^workspace\.yaml:\d+:\d+$/),
        message: expect.any(String),
        help: expect.any(String),
      });
    }
  });

  it('with a rule on an unknown tool is warned about, with the nearest tool', async () => {
    const file = join(cwd, 'work', 'workspace.yaml');
    const sound = readFileSync(file, 'utf8');
    const when = "when: {tool: ['file:*', 'fiel:read']}";
    const rule = `    - {id: typo, trigger: on_tool_request, decision: deny, ${when}}\n`;
    writeFileSync(file, sound.replace('  rules:\n', `  rules:\n${rule}`));
    const {code, stderr} = await run('-w', 'work', 'tools', 'list');
    writeFileSync(file, sound);
    expect(code).toBe(0);
    const place = sound.slice(0, sound.indexOf('  rules:')).split('\n').length + 1;
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        `${place}:\\d+ POLICY_TOOL_UNKNOWN rule .typo. names the tool .fiel:read.[^]*did you mean .file:read.`,
      ),
    );
    expect(stderr.match(/POLICY_TOOL_UNKNOWN/g)).toHaveLength(1);
  });

  it('whose pack changed is reported, and `pack hash` prints the new pin', async () => {
    const file = join(cwd, 'work', 'workspace.yaml');
    const sound = readFileSync(file, 'utf8');
    const [pinned = ''] = /sha256:[0-9a-f]{64}/.exec(sound) ?? [];
    writeFileSync(file, sound.replace(pinned, `sha256:${'0'.repeat(64)}`));
    const {code, stderr} = await run('-w', 'work', 'pack', 'list');
    const hashed = await run('-w', 'work', 'pack', 'hash', 'software-delivery');
    writeFileSync(file, sound);
    expect(code).toBe(2);
    expect(stderr).toContain('PACK_INTEGRITY_MISMATCH');
    expect(hashed).toMatchObject({code: 0, stdout: `${pinned}\n`});
  });
});

describe('a pack that needs a config', () => {
  it('is validated without one, except for its config, which is reported', async () => {
    const root = join(cwd, 'configured');
    mkdirSync(root, {recursive: true});
    const tool = {name: 'c:one', description: 'One', handler_entry: 'one.mjs#one', permission: 'read'};
    const manifest = {
      id: 'c',
      version: '0.1.0',
      manifest_version: 1,
      task_types: ['c'],
      tools: [tool],
      config_key: 'c',
    };
    const needing = {...manifest, config_schema: 'config.json', policy_factory: 'rules.mjs#rules'};
    writeFileSync(join(root, 'manifest.yaml'), JSON.stringify(needing));
    writeFileSync(join(root, 'config.json'), JSON.stringify({type: 'object', required: ['url']}));
    writeFileSync(join(root, 'rules.mjs'), 'export const rules = ({config}) => [config.url.length];\n');
    writeFileSync(join(root, 'one.mjs'), 'export const one = () => 1;\n');
    expect(await json('pack', 'validate', 'configured')).toMatchObject({
      code: 0,
      document: {
        ok: true,
        problems: [
          {
            code: 'PACK_CONFIG_NOT_JUDGED',
            severity: 'warning',
            message: expect.stringContaining('its factories did not run: the pack needs one, `c` in workspace.yaml'),
          },
        ],
      },
    });
    writeFileSync(join(root, 'one.mjs'), 'export const two = () => 1;\n');
    expect((await json('pack', 'validate', 'configured')).code).toBe(1);
  });
});
