import {compileWorkspace} from '@lumenflow/kernel/adapters';
import {compileRegex, createSchemaCompiler, parseYamlDocument} from '@lumenflow/kernel/node';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {validateWorkspace} from '@lumenflow/schemas/validators';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {workspaceText} from '../cli/init/workspace-text.ts';
import {ruleTemplates} from './rule-templates.ts';
import {withTemplate} from './with-template.ts';

const fresh = workspaceText({
  id: 'demo',
  pins: [],
  schemaPath: 'x',
  isGit: false,
  project: {folders: [], instructions: []},
});

function errorsOf(text: string): readonly string[] {
  const document = parseYamlDocument({text, file: 'workspace.yaml', validate: validateWorkspace, code: 'X'});
  if (document.problems.length > 0) return document.problems.map(({message}) => message);
  const ports = {compileRegex, monotonic: () => 0, compileSchema: createSchemaCompiler().compileLater};
  const source = {spec: document.value as WorkspaceSpec, packs: [], locate: document.locate};
  const {problems} = compileWorkspace(source, ports);
  return problems.filter(({severity}) => severity === 'error').map(({message}) => message);
}

describe.each(ruleTemplates)('$name', (template) => {
  const text = withTemplate(fresh, template) ?? expect.fail('the rule is there already');

  test('is added to a new workspace, and its examples pass', () => {
    expect(errorsOf(text)).toEqual([]);
  });

  test('leaves all other text as it was', () => {
    const lines = text.split('\n');
    expect(fresh.split('\n').filter((line) => !lines.includes(line))).toEqual([]);
    expect(text).toContain(`# ${template.purpose}\n`);
  });

  test('an example that the rule does not lead to would be found', () => {
    const {examples = []} = template.rule;
    const turned = examples.map((example) => ({
      ...example,
      expect: example.expect === 'no_match' ? template.rule.decision : ('no_match' as const),
    }));
    const broken = withTemplate(fresh, {...template, rule: {...template.rule, examples: turned}});
    expect(errorsOf(broken ?? '')).toHaveLength(examples.length);
  });
});

test('a rule with the same id is not written twice', () => {
  const [template] = ruleTemplates;
  if (template === undefined) expect.fail('there are no templates');
  expect(withTemplate(withTemplate(fresh, template) ?? '', template)).toBeUndefined();
});

test.each([
  ['the rules', 'x: &rules [{id: mine}]\npolicies: {default_decision: deny, rules: *rules}\n'],
  ['the policies', 'x: &policies {default_decision: deny, rules: [{id: mine}]}\npolicies: *policies\n'],
])('what an alias of %s refers to is kept', (_what, text) => {
  const [template] = ruleTemplates;
  const added = parse((template && withTemplate(text, template)) ?? '') as unknown;
  expect(added).toMatchObject({
    policies: {default_decision: 'deny', rules: [{id: 'mine'}, {id: 'known-commands'}]},
  });
});

test('a byte order mark stays', () => {
  const [template] = ruleTemplates;
  const added = (template && withTemplate('\u{FEFF}id: x\nlanes: []\n', template)) ?? '';
  expect(added.startsWith('\u{FEFF}id: x\n')).toBe(true);
  expect(added.lastIndexOf('\u{FEFF}')).toBe(0);
});

test('lines end as before', () => {
  const [template] = ruleTemplates;
  const added = (template && withTemplate('id: x\r\nlanes: []\r\n', template)) ?? '';
  expect(added.split('\r\n')).toHaveLength(added.split('\n').length);
});

test.each([
  'id: x\n',
  'id: x\npolicies: {}\n',
  'id: x\npolicies: {rules: []}\n',
  'id: x\npolicies:\n  include: [a.yaml]\n',
])('a workspace with %j gets the rule', (text) => {
  const [template] = ruleTemplates;
  const added = template && withTemplate(text, template);
  expect(added).toContain('- id: known-commands\n');
  expect(added).toContain(text.split('\n')[0]);
});
