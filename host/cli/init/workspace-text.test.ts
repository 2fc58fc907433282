import {parseYamlDocument} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {validateWorkspace} from '@lumenflow/schemas/validators';
import {describe, expect, it} from 'vitest';
import type {Project} from './survey-project.ts';
import {workspaceText, type NewWorkspace} from './workspace-text.ts';

const pin: PackPin = {
  id: 'a',
  version: '1.0.0',
  integrity: `sha256:${'0'.repeat(64)}`,
  source: 'local',
  path: '../with space/"quotes"',
  trust: 'in_process',
};
const npm: PackPin = {
  id: 'b',
  version: '1.0.0',
  integrity: 'dev',
  source: 'npm',
  package: '@scope/b',
  trust: 'sandboxed',
};

const nothing: Project = {folders: [], instructions: []};

function parse(parts: Partial<NewWorkspace>) {
  const text = workspaceText({id: 'demo', pins: [], schemaPath: './s.json', isGit: false, project: nothing, ...parts});
  const document = parseYamlDocument({text, file: 'workspace.yaml', validate: validateWorkspace, code: 'X'});
  expect(document.problems).toEqual([]);
  return document.value as Record<string, unknown>;
}

describe('workspaceText', () => {
  it('is valid without packs and outside of git', () => {
    expect(parse({})).toMatchObject({id: 'demo', packs: [], policies: {default_decision: 'allow'}});
  });

  it('is valid with the examples that its comments give', () => {
    const text = workspaceText({id: 'demo', pins: [], schemaPath: './s.json', isGit: false, project: nothing});
    const opened = text.replaceAll(/^ {4}# (- id: ask-before-commit|  )/gmu, '    $1');
    expect(opened).toContain('\n    - id: ask-before-commit\n      trigger: on_tool_request');
    const document = parseYamlDocument({text: opened, file: 'w', validate: validateWorkspace, code: 'X'});
    expect(document.problems).toEqual([]);
  });

  it('pins packs of both kinds as they are', () => {
    expect(parse({pins: [pin, npm]})['packs']).toEqual([pin, npm]);
  });

  it('opens .git only in a repository', () => {
    expect(JSON.stringify(parse({isGit: false})['lanes'])).not.toContain('.git');
    expect(JSON.stringify(parse({isGit: true})['lanes'])).toContain('.git/**');
  });

  it('keeps an id a text that YAML would read as something else', () => {
    for (const id of ['2024', '1.0', 'true', 'null', '0x1']) expect(parse({id})['id']).toBe(id);
  });

  it('opens the folders of the project, and says which files agents obey', () => {
    const project = {folders: ['lib', 'my docs'], instructions: ['AGENTS.md']};
    const text = workspaceText({id: 'demo', pins: [], schemaPath: './s.json', isGit: false, project});
    expect(text).toContain('policy explain file:write path=lib/a.txt content=Hello\n');
    expect(text).toContain('# Agents obey AGENTS.md: only a scope that names such a file allows a tool to write it.\n');
    expect(parse({project})).toMatchObject({
      lanes: [{allowed_scopes: [{pattern: '**'}, {pattern: 'lib/**'}, {pattern: 'my docs/**'}]}],
    });
    expect(parse({})).toMatchObject({
      lanes: [{allowed_scopes: [{pattern: '**'}, {pattern: 'src/**'}, {pattern: 'docs/**'}]}],
    });
  });

  it('asks before commits in a repository whose workspace has a tool for them', () => {
    const delivery = {...npm, id: 'software-delivery'};
    const rules = (parts: Partial<NewWorkspace>) => (parse(parts)['policies'] as {rules: {id: string}[]}).rules;
    expect(rules({isGit: true, pins: [delivery]}).map(({id}) => id)).toEqual(['ask-before-admin', 'ask-before-commit']);
    expect(rules({isGit: true}).map(({id}) => id)).toEqual(['ask-before-admin']);
    expect(rules({pins: [delivery]}).map(({id}) => id)).toEqual(['ask-before-admin']);
  });

  it('requires signatures if its packs are signed', () => {
    const key = 'release+0a1b2c3d+AAAA';
    expect(parse({signers: [key]})).toMatchObject({security: {packs: {require_signature: true, trusted_keys: [key]}}});
    expect(parse({})['security']).not.toHaveProperty('packs');
  });

  it('shows how to configure agents if their pack is pinned', () => {
    const pins = [{...npm, id: 'agent-runtime'}];
    const text = workspaceText({id: 'demo', pins, schemaPath: './s.json', isGit: false, project: nothing});
    const [, comment = ''] = text.split('what they may call:\n');
    const config = comment.replaceAll(/^# /gmu, '');
    const document = parseYamlDocument({text: config, file: 'w', validate: () => true, code: 'X'});
    expect(document).toMatchObject({
      problems: [],
      value: {
        agent_runtime: {default_model: 'demo', models: {demo: {}}, intents: {notes: {allow_tools: ['file:read']}}},
      },
    });
    expect(workspaceText({id: 'demo', pins: [], schemaPath: './s.json', isGit: false, project: nothing})).not.toContain(
      'agent_runtime',
    );
  });
});
