// `lumenflow policy test` and `policy explain` for claims and completions, as they are typed.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {assertBuilt, initialize, makeFolder, runCommand, runCommandForJson} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
/** A name that programs must quote. */
const cwd = join(folder.path, `a "quoted" one's\nfolder`);
const run = (...args: string[]) => runCommand(args, {cwd});
const json = (...args: string[]) => runCommandForJson(args, {cwd});

let initial: string;
beforeAll(async () => {
  assertBuilt();
  mkdirSync(cwd);
  await initialize(cwd, '--id', 'demo');
  initial = readFileSync(join(cwd, 'workspace.yaml'), 'utf8');
});
afterAll(() => folder.remove());

function write(policies: string): void {
  const [before = ''] = initial.split(/^policies:$/mu);
  writeFileSync(join(cwd, 'workspace.yaml'), `${before}policies:\n${policies}`);
}

const claims = '    - {id: ask-claims, trigger: on_claim, decision: approval_required, when: {lane: main}}\n';

describe('policy test', () => {
  it('exits 0 when every example passes, and reports coverage and rules that decide nothing', async () => {
    write(`  default_decision: allow
  rules:
    - id: no-deletes
      trigger: on_tool_request
      decision: deny
      when: {tool: 'file:delete'}
      examples: [{call: {tool: 'file:delete'}, expect: deny}, {call: {tool: 'file:read'}, expect: no_match}]
    - {id: typo, trigger: on_tool_request, decision: deny, when: {tool: 'fiel:*'}}
${claims}`);
    const {code, stdout} = await run('policy', 'test');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^workspace\n✓ {2}no-deletes +deny +2 of 2 +workspace\.yaml:\d+/mu);
    expect(stdout).toMatch(/^! {2}typo /mu);
    expect(stdout).toContain('it never matches: no loaded tool fits `fiel:*`');
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /✔ 2 examples pass; 1 of \d+ rules have examples; 1 of \d+ rules never match/u,
    );
    expect(await json('policy', 'test', '--strict')).toMatchObject({
      code: 1,
      document: {
        ok: false,
        error: {code: 'POLICY_TEST_FAILED', message: '1 rule can never match'},
        summary: {without_examples: expect.any(Number), idle: 1, examples_held: 2, examples_failed: 0},
      },
    });
  });

  it('exits 1 when an example fails, though the workspace does not load', async () => {
    write(`  default_decision: allow
  rules:
    - id: no-deletes
      trigger: on_tool_request
      decision: deny
      when: {tool: 'file:write'}
      examples: [{call: {tool: 'file:delete'}, expect: deny}]
`);
    expect((await run('tools', 'list')).code).toBe(2);
    const {code, document} = await json('policy', 'test');
    expect(code).toBe(1);
    expect(document).toMatchObject({
      error: {code: 'POLICY_TEST_FAILED', message: '1 example failed'},
      rules: expect.arrayContaining([
        expect.objectContaining({
          rule_id: 'no-deletes',
          examples: [expect.objectContaining({holds: false, expect: 'deny', given: 'no_match'})],
        }),
      ]),
    });
    expect((await run('policy', 'test')).stdout).toContain('expects  deny, but the rule returns no_match');
  });

  it('exits 2 with all problems when the workspace cannot be loaded for another reason', async () => {
    write('  default_decision: alow\n');
    expect(await json('policy', 'test')).toMatchObject({code: 2, document: {error: {code: 'LOAD_FAILED'}}});
    write("  rules: [{id: r, trigger: on_claim, decision: deny, when: {arguments: {/a: {regex: '('}}}}]\n");
    expect(await json('policy', 'test')).toMatchObject({code: 2, document: {error: {code: 'LOAD_FAILED'}}});
  });
});

describe('check', () => {
  const unsigned = (text: string): string =>
    text.replace('security:\n', 'security:\n  packs: {require_signature: true}\n');

  it('exits 0 for a workspace that loads, and says what was checked', async () => {
    writeFileSync(join(cwd, 'workspace.yaml'), initial);
    const {code, stdout} = await run('check', '--no-machine');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✔ the workspace loads\n/u);
    expect(stdout).toMatch(/^ {2}packs +✔ 2 packs, \d+ tools$/mu);
  });

  it('exits 1 with each problem at its line, where policy test exits 2', async () => {
    writeFileSync(join(cwd, 'workspace.yaml'), unsigned(initial));
    expect((await run('policy', 'test')).code).toBe(2);
    const {code, document} = await json('check', '--no-machine');
    const where = expect.stringMatching(/^workspace\.yaml:\d+:\d+$/u) as string;
    expect(code).toBe(1);
    expect(document).toMatchObject({
      ok: false,
      error: {code: 'CHECK_FAILED', message: '2 errors'},
      areas: expect.arrayContaining([expect.objectContaining({area: 'packs', errors: 2, warnings: 0})]),
      problems: [
        {code: 'PACK_SIGNATURE_MISSING', where},
        {code: 'PACK_SIGNATURE_MISSING', where},
      ],
    });
    const sarif = await run('check', '--no-machine', '--sarif');
    expect(sarif).toMatchObject({code: 1, stderr: ''});
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      runs: [{results: [{ruleId: 'PACK_SIGNATURE_MISSING'}, {ruleId: 'PACK_SIGNATURE_MISSING'}]}],
    });
  });

  it('fails for warnings only with --strict', async () => {
    const typo = "    - {id: typo, trigger: on_tool_request, decision: deny, when: {tool: 'fiel:*'}}\n";
    write(`  default_decision: allow\n  rules:\n${typo}`);
    expect((await run('check', '--no-machine')).code).toBe(0);
    expect((await run('check', '--no-machine', '--strict')).code).toBe(1);
  });
});

describe('policy explain', () => {
  it('shows for a claim and a completion which rule decides, where, what would change it, and what else blocks it', async () => {
    write(`  default_decision: deny\n  rules:\n${claims}`);
    expect((await run('task', 'create', 't1')).code).toBe(0);
    const {code, stdout} = await run('policy', 'explain', '--claim', 't1');
    expect(code).toBe(0);
    expect(stdout).toContain('● waits for approval  claim of t1');
    expect(stdout).toMatch(/approval_required {2}ask-claims layer workspace\n +workspace\.yaml:\d+:\d+/u);
    expect(stdout).toContain('- approve the request');
    expect(await json('policy', 'explain', '--completion', 't1')).toMatchObject({
      code: 0,
      document: {explanation: {kind: 'completion', decision: 'allow', failure: {code: 'TASK_NOT_ACTIVE'}}},
    });
    expect((await json('approvals', 'list')).document['approvals']).toEqual([]);
    expect(await json('policy', 'explain', '--claim', 'nope')).toMatchObject({
      code: 1,
      document: {error: {code: 'TASK_NOT_FOUND'}},
    });
    expect((await run('policy', 'explain')).code).toBe(2);
    expect((await run('policy', 'explain', 'file:read', '--claim', 't1')).code).toBe(2);
  });
});

describe('policy add', () => {
  it('changes no file that is wrong', async () => {
    const wrong = `${initial}\npolicies: {}\n`;
    writeFileSync(join(cwd, 'workspace.yaml'), wrong);
    expect(await json('policy', 'add', 'rate-limit')).toMatchObject({
      code: 1,
      document: {error: {code: 'YAML_DUPLICATE_KEY', message: expect.stringMatching(/^workspace\.yaml:\d+:/u)}},
    });
    expect(readFileSync(join(cwd, 'workspace.yaml'), 'utf8')).toBe(wrong);
  });

  it('adds every template to a fresh workspace, and the rules decide real calls', async () => {
    writeFileSync(join(cwd, 'workspace.yaml'), initial);
    const {document} = await json('policy', 'templates');
    const names = (document['templates'] as readonly {readonly name: string}[]).map(({name}) => name);
    expect(names.length).toBeGreaterThanOrEqual(19);
    for (const name of names) expect((await run('policy', 'add', name)).code).toBe(0);
    expect(await json('policy', 'add', names[0] ?? '')).toMatchObject({
      code: 1,
      document: {error: {code: 'RULE_EXISTS'}},
    });
    expect(await json('policy', 'add', 'ofice-hours')).toMatchObject({
      code: 2,
      document: {error: {code: 'INVALID_ARGUMENT'}},
    });
    const text = readFileSync(join(cwd, 'workspace.yaml'), 'utf8');
    for (const line of initial.split('\n')) expect(text).toContain(line);
    expect(await json('policy', 'test')).toMatchObject({code: 0, document: {summary: {examples_failed: 0}}});

    writeFileSync(join(cwd, 'docs.md'), `key AKIA${'A'.repeat(16)} end`);
    writeFileSync(join(cwd, 'site.pem'), 'x');
    writeFileSync(join(cwd, 'private.txt'), '-----BEGIN RSA PRIVATE KEY-----');
    expect((await run('tools', 'call', 'file:read', 'path=docs.md')).stdout).toContain(
      'key [redacted: redact-access-keys] end',
    );
    const refused = async (...call: string[]) => (await json('tools', 'call', ...call)).document;
    const denied = (rule_id: string) => ({error: {code: 'POLICY_DENIED', details: {rule_id}}});
    expect(await refused('file:read', 'path=site.pem')).toMatchObject(denied('no-key-files'));
    expect(await refused('file:read', 'path=private.txt')).toMatchObject(denied('withhold-private-keys'));
    expect(await refused('file:delete', 'path=docs.md')).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
  });
});
