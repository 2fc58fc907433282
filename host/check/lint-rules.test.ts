import {compileWorkspace} from '@lumenflow/kernel/adapters';
import {compileRegex, createSchemaCompiler, parseYamlDocument} from '@lumenflow/kernel/node';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {validateWorkspace} from '@lumenflow/schemas/validators';
import {expect, test} from 'vitest';
import {lintRules} from './lint-rules.ts';

const now = Date.parse('2026-06-15T00:00Z');

/** `rules` in YAML, one a line, from line 7 on. */
function lint(rules: readonly string[]) {
  const text = `id: demo
packs: []
lanes: [{id: main, allowed_scopes: [{type: path, pattern: '**', access: read}]}]
security: {allowed_scopes: [{type: path, pattern: '**', access: read}]}
policies:
  rules:
${rules.map((rule) => `  - {trigger: on_tool_request, ${rule}}`).join('\n')}
`;
  const document = parseYamlDocument({text, file: 'workspace.yaml', validate: validateWorkspace, code: 'X'});
  expect(document.problems).toEqual([]);
  const ports = {compileRegex, monotonic: () => 0, compileSchema: createSchemaCompiler().compileLater};
  const source = {spec: document.value as WorkspaceSpec, packs: [], locate: document.locate};
  const {problems} = compileWorkspace(source, ports);
  return lintRules({source, ports, problems}, now).findings;
}

test.each([
  [
    'shadowed',
    [
      'id: a, decision: deny, when: {actor: [ann, bob]}',
      'id: b, decision: approval_required, when: {actor: ann, surface: [cli]}',
    ],
    ['workspace.yaml:8:5 POLICY_RULE_SHADOWED by a'],
  ],
  [
    'the same rule twice',
    ['id: a, decision: deny, when: {actor: ann}', 'id: b, decision: deny, when: {actor: ann}'],
    ['workspace.yaml:8:5 POLICY_RULE_SHADOWED by a'],
  ],
  [
    'narrower and stricter',
    ['id: a, decision: deny, when: {actor: ann}', 'id: b, decision: approval_required, when: {actor: [ann, bob]}'],
    [],
  ],
  [
    'a limit does not shadow a rule',
    ['id: a, decision: deny, at_most: {count: 1, of: actor}', 'id: b, decision: deny, when: {actor: ann}'],
    [],
  ],
  [
    'other approvers',
    ['id: a, decision: approval_required', 'id: b, decision: approval_required, approvers: {count: 2}'],
    [],
  ],
  [
    'what observes does not decide',
    ['id: a, decision: deny, mode: observe', 'id: b, decision: deny, when: {actor: ann}'],
    [],
  ],
  [
    'contradictory',
    ['id: a, decision: deny, when: {actor: ann, not: {actor: a*}}'],
    ['workspace.yaml:7:5 POLICY_CONDITIONS_CONTRADICT'],
  ],
  [
    'never on that day',
    ["id: a, decision: deny, when: {time: {zone: UTC, days: mon, dates: '2026-12-24'}}"],
    ['workspace.yaml:7:68 POLICY_TIME_IMPOSSIBLE'],
  ],
  [
    'over',
    ["id: a, decision: deny, when: {not: {time: {zone: UTC, dates: '2026-01-01..2026-06-01'}}}"],
    ['workspace.yaml:7:74 POLICY_DATES_PAST'],
  ],
  ['comes again', ["id: a, decision: deny, when: {time: {zone: UTC, dates: '01-01..06-01'}}"], []],
])('%s', (_name, rules, expected) => {
  const found = lint(rules).map(({where, code, other}) => `${where} ${code}${other ? ` by ${other.rule_id}` : ''}`);
  expect(found).toEqual(expected);
});

test('the proof is a call of the examples; a call that two rules match is a note', () => {
  const example = 'examples: [{call: {actor: ann, surface: cli}, expect: allow}]';
  const [note, ...others] = lint([
    `id: a, decision: allow, when: {actor: [ann, bob]}, ${example}`,
    'id: b, decision: deny, when: {surface: [cli], actor: ann}',
  ]);
  expect(others).toEqual([]);
  expect(note).toMatchObject({
    code: 'POLICY_RULES_OVERLAP',
    is_note: true,
    other: {rule_id: 'b'},
    call: {actor: 'ann', surface: 'cli'},
    message: 'rules `a` and `b` at workspace.yaml:8:5 match the same call: deny decides',
  });
  const [shadowed] = lint([
    `id: a, decision: allow, when: {actor: ann}, ${example}`,
    'id: b, decision: deny, when: {actor: [ann, bob]}',
  ]);
  expect(shadowed).toMatchObject({code: 'POLICY_RULE_SHADOWED', call: {actor: 'ann', surface: 'cli'}});
});
