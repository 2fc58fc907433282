// `lumenflow policy test` and `policy explain` for claims and completions, as they are typed.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {assertBuilt, makeFolder, runForJson, runProgram} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const cwd = folder.path;
const run = (...args: string[]) => runProgram(args, {cwd});
const json = (...args: string[]) => runForJson(args, {cwd});

let initial: string;
beforeAll(async () => {
  assertBuilt();
  expect((await run('init', '--id', 'demo')).code).toBe(0);
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
