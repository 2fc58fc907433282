import {validateManifest, validateWorkspace} from '@lumenflow/schemas/validators';
import {assert, jsonValue, property} from 'fast-check';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {parseYamlDocument, type YamlDocument} from './parse-yaml-document.ts';

function accept(text: string): YamlDocument {
  return parseYamlDocument({text, file: 'a.yaml', code: 'A_INVALID', validate: () => true});
}

function workspace(text: string): YamlDocument {
  return parseYamlDocument({text, file: 'workspace.yaml', code: 'WORKSPACE_INVALID', validate: validateWorkspace});
}

function brief(document: YamlDocument): readonly string[] {
  return document.problems.map(
    ({where, message, help}) => `${where} ${message}${help === undefined ? '' : ` (${help})`}`,
  );
}

test('a sound document has a value and no problems', () => {
  const document = accept('id: x\nlist: [1, 0x10, yes, "no"]\nnothing:\ntext: |\n  a\n');
  expect(document.problems).toEqual([]);
  expect(document.value).toEqual({id: 'x', list: [1, 16, 'yes', 'no'], nothing: null, text: 'a\n'});
});

test('an alias refers to the nearest earlier anchor of its name, also inside of others', () => {
  const document = accept('a: &x {b: &y 1}\nc: [*x, *y]\nd: &y 2\ne: [*y, *x]\nf: &x 3\ng: *x\n');
  expect(document.problems).toEqual([]);
  expect(document.value).toEqual({a: {b: 1}, c: [{b: 1}, 1], d: 2, e: [2, {b: 1}], f: 3, g: 3});
});

test('any JSON that is written as YAML is read back unchanged', () => {
  assert(
    property(jsonValue({maxDepth: 5}), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown;
      expect(accept(stringify(plain, {aliasDuplicateObjects: false})).value).toEqual(plain);
    }),
  );
});

test('a glob that is not quoted is one problem, with the quoted text as its fix', () => {
  const scope = '{type: path, pattern: **, access: write}';
  const document = workspace(
    `id: demo\npacks: []\nlanes: [{id: a, allowed_scopes: [${scope}]}]\nsecurity: {allowed_scopes: []}\n`,
  );
  expect(brief(document)).toEqual([
    "workspace.yaml:3:56 the alias `**` refers to no earlier anchor (quote it if it is a text: '**')",
  ]);
});

test('three mistakes in a workspace.yaml are three problems, each at its place', () => {
  const document = workspace(`id: demo
packs:
  - id: greeter
    version: 1.0.0
    integrity: dev
    source: locl
    path: packs/greeter
lanes:
  - id: core
    allowed_scopes:
      - type: path
        patern: src/**
        access: write
security:
  allowed_scopes: none
`);
  expect(brief(document)).toEqual([
    'workspace.yaml:6:13 `source` is `locl`, which is not one of `local`, `npm`, `git`, `mcp`, `openapi`, `grpc` (did you mean `local`?)',
    'workspace.yaml:11:9 `pattern` is missing (add `pattern`: Relative to the workspace root. Literals, ?, *, ** (whole segments) and {a,b}. A write grant includes reading the same paths.)',
    'workspace.yaml:12:9 unknown key `patern` (did you mean `pattern`? allowed here: type, pattern, access)',
    'workspace.yaml:15:19 `allowed_scopes` must be a list but is a string',
  ]);
  expect(document.problems.map(({code, pointer}) => [code, pointer])).toEqual([
    ['WORKSPACE_INVALID', '/packs/0/source'],
    ['WORKSPACE_INVALID', '/lanes/0/allowed_scopes/0'],
    ['WORKSPACE_INVALID', '/lanes/0/allowed_scopes/0'],
    ['WORKSPACE_INVALID', '/security/allowed_scopes'],
  ]);
});

test.each([
  ['version: 1.0', 'a.yaml:1:10 `version` must be a string but is a number (quote it: "1")'],
  [
    'id: a b',
    'a.yaml:1:5 `id` is `a b`, which does not match `^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$` (for example `my-id`)',
  ],
  ['task_types: []', 'a.yaml:1:13 `task_types` is empty (add an item, or remove the key)'],
  ['manifest_version: 2', 'a.yaml:1:19 `manifest_version` is `2`, which is not `1`'],
  // For an enumerated value, only the allowed values are reported, not also its type.
  [
    'policies: [{id: a, trigger: on_claim, decision: null}]',
    'a.yaml:1:49 `decision` is `null`, which is not one of `allow`, `deny`, `approval_required`',
  ],
  ['tools: [5]', 'a.yaml:1:9 the 1st item of `tools` must be a map but is a number'],
  [
    'lane_templates: [{id: a, allowed_scopes: [{type: pth}]}]',
    'a.yaml:1:43 `type` is `pth`, which is not one of `path`, `network` (did you mean `path`?)',
  ],
  ['lane_templates: [{id: a, allowed_scopes: [{pattern: x}]}]', 'a.yaml:1:43 `type` is missing'],
  [
    'policies: [{id: a, trigger: on_claim, decision: deny, when: {tool: 5}}]',
    'a.yaml:1:68 `tool` matches none of the allowed forms (use a string or a list)',
  ],
  [
    'policies: [{id: a, trigger: on_claim, decision: deny, when: {tool: [a, b, 5]}}]',
    'a.yaml:1:75 the 3rd item of `tool` must be a string but is a number (quote it: "5")',
  ],
  [
    'policies: [{id: a, trigger: on_claim, decision: deny, when: {arguments: {path: {exists: true}}}}]',
    'a.yaml:1:73 the key is `path`, which does not match `^(/([^~/]|~[01])*)*$` (for example `/path`, `/to/0`)',
  ],
])('%s is explained', (text, expected) => {
  const document = parseYamlDocument({text, file: 'a.yaml', code: 'A_INVALID', validate: validateManifest});
  const found = brief(document).filter((line) => !/^a.yaml:1:1 .* is missing/.test(line));
  expect(found).toEqual([expected]);
});

const rule = 'id: a, trigger: on_tool_request, decision: approval_required';
test.each([
  [`{${rule}, self_approval: yes}`, '`self_approval` must be a boolean but is a string (write true)'],
  [`{${rule}, self_approval: Off}`, '`self_approval` must be a boolean but is a string (write false)'],
  [`{${rule}, at_most: {count: 0, of: task}}`, '`count` is `0`, which is too small (write a number of at least 1)'],
  [
    `{${rule}, at_most: {total: 0, sum: /a, of: task}}`,
    '`total` is `0`, which is too small (write a number of more than 0)',
  ],
  [
    `{${rule}, approvers: {count: 5000000000}}`,
    '`count` is `5000000000`, which is too large (write a number of at most',
  ],
])('the rule %s is refused with a fix', (text, expected) => {
  const found = brief(workspace(`policies: {rules: [${text}]}`)).filter((line) =>
    /self_approval|count|total/u.test(line),
  );
  expect(found).toEqual([expect.stringContaining(expected)]);
});

test.each([
  ['a: 1\na: 2\n', 'a.yaml:2:1 the key `a` appears twice in one map (remove one of them)'],
  ['a: 1\nb: {c: 1, "c": 2}\n', 'a.yaml:2:11 the key `c` appears twice in one map (remove one of them)'],
  ['1: a\n"1": b\n', 'a.yaml:2:1 the key `1` appears twice in one map (remove one of them)'],
  ['base: &b {x: 1}\na:\n  <<: *b\n', 'a.yaml:3:3 merge keys (`<<`) are not supported (write the keys out)'],
  ['a: !!js/function x', 'a.yaml:1:18 the tag `tag:yaml.org,2002:js/function` is not supported (remove the tag)'],
  ['a: !secret x', 'a.yaml:1:12 the tag `!secret` is not supported (remove the tag)'],
  ['a: [1, .inf]', 'a.yaml:1:8 `.inf` is not a JSON number'],
  ['? [a, b]\n: 1', 'a.yaml:1:3 a key must be plain text'],
  ['a: *gone', "a.yaml:1:4 the alias `*gone` refers to no earlier anchor (quote it if it is a text: '*gone')"],
  [
    '%YAML 1.1\n---\na: yes',
    'a.yaml:1:1 YAML 1.1 is not supported (remove the %YAML directive: files are read as YAML 1.2)',
  ],
])('%j is refused', (text, expected) => {
  expect(brief(accept(text))).toEqual([expected]);
});

test.each([
  ['a: [1\nb: 2\n', 'a.yaml:2:1', 'indent it with spaces, like the entries next to it'],
  ['a: "x\n', 'a.yaml:2:1', 'close what is open'],
  ['a: 1\nb 2\n', 'a.yaml:2:1', 'with a space after the colon'],
  ['a: "\\q"\n', 'a.yaml:1:5', 'double the backslash'],
  ['a: @x\n', 'a.yaml:1:4', 'quote a text that contains YAML syntax'],
  ['a: 1\n---\nb: 2\n', 'a.yaml:2:1', 'keep one of them'],
  ['a:\n\tb: 1\n', 'a.yaml:2:1', 'indent by spaces'],
])('%j is a syntax error, reported with a fix', (text, where, help) => {
  const document = accept(text);
  expect(document.value).toBeUndefined();
  expect(document.problems[0]).toMatchObject({code: 'YAML_SYNTAX', where, help: expect.stringContaining(help)});
});

test.each([
  ['a:\n\tb: 1\n\tc: 2\n', ['2:1']],
  ['packs:\n  - id: a\n   version: 1\n  x: y\nlanes: 1\n', ['3:1']],
  ['a: 1\n b: 2\nc: @x\n', ['1:4', '3:4']],
  ['a: b: c\nd: e: f\n', ['1:4', '2:4']],
])('%j: one error for each cause', (text, places) => {
  expect(accept(text).problems.map(({where}) => where)).toEqual(places.map((place) => `a.yaml:${place}`));
});

test.each([
  ['[', 'YAML_SYNTAX', '['.repeat(100_000), 'quote a text that contains YAML syntax'],
  ['a deep list', 'YAML_TOO_LARGE', `${'['.repeat(66)}${']'.repeat(66)}`, 'nest less deeply'],
  ['a loop', 'YAML_TOO_LARGE', 'a: &a [*a]', 'no alias can contain itself'],
  ['a bomb', 'YAML_TOO_LARGE', bomb(), 'write the values instead of the aliases'],
  ['many aliases', 'YAML_TOO_LARGE', `a: &a x\nb: [${'*a, '.repeat(101)}]`, 'write the values instead of the aliases'],
  ['a large file', 'YAML_TOO_LARGE', `# ${'x'.repeat(1024 * 1024)}`, 'shorten it'],
])('%s does not get through', (_, code, text, help) => {
  const document = accept(text);
  expect(document.value).toBeUndefined();
  expect(document.problems[0]).toMatchObject({code, help: expect.stringContaining(help)});
  expect(document.problems.length).toBeLessThanOrEqual(50);
});

function bomb(): string {
  const rows = ['l0: &l0 [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i <= 9; i++) rows.push(`l${i}: &l${i} [${Array.from({length: 9}, () => `*l${i - 1}`).join(', ')}]`);
  return rows.join('\n');
}

test('locate names the value, or its nearest ancestor', () => {
  const {locate} = accept('a:\n  b: [x, {c/d: 1}]\nshared: &s\n  e: 2\nuse: *s\n');
  expect(locate('')).toBe('a.yaml:1:1');
  expect(locate('/a/b/0')).toBe('a.yaml:2:7');
  expect(locate('/a/b/1/c~1d')).toBe('a.yaml:2:16');
  expect(locate('/a/b/7/x')).toBe('a.yaml:2:6');
  expect(locate('/a/gone')).toBe('a.yaml:2:3');
  expect(locate('/a', 'key')).toBe('a.yaml:1:1');
  expect(locate('/a/b/1/c~1d', 'key')).toBe('a.yaml:2:11');
  expect(locate('/a/gone', 'key')).toBe('a.yaml:2:3');
  expect(locate('/use/e')).toBe('a.yaml:4:6');
});

test('an empty file is a value of null, and is reported as empty', () => {
  expect(accept('').value).toBeNull();
  for (const text of ['', '\n', '# nothing\n', '---\n']) {
    const said = 'the file is empty (write its keys, or restore the file)';
    expect(brief(workspace(text))).toEqual([expect.stringContaining(said)]);
  }
});

test('a generated file can be longer than a written one', () => {
  const text = `a: ${'x'.repeat(1024 * 1024)}\nb: [${'1,'.repeat(100_000)}]`;
  const source = {text, file: 'a.yaml', code: 'A_INVALID', validate: () => true};
  expect(parseYamlDocument({...source, isGenerated: true})).toMatchObject({
    problems: [],
    value: {b: expect.any(Array)},
  });
  expect(parseYamlDocument(source).problems[0]?.code).toBe('YAML_TOO_LARGE');
  const longer = {...source, text: `# ${'x'.repeat(8 * 1024 * 1024)}`, isGenerated: true};
  expect(parseYamlDocument(longer).problems[0]?.code).toBe('YAML_TOO_LARGE');
});
