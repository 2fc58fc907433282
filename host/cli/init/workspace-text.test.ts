import {parseYamlDocument} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {validateWorkspace} from '@lumenflow/schemas/validators';
import {describe, expect, it} from 'vitest';
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

function parse(parts: Partial<NewWorkspace>) {
  const text = workspaceText({id: 'demo', pins: [], schemaPath: './s.json', isGit: false, ...parts});
  const document = parseYamlDocument({text, file: 'workspace.yaml', validate: validateWorkspace, code: 'X'});
  expect(document.problems).toEqual([]);
  return document.value as Record<string, unknown>;
}

describe('workspaceText', () => {
  it('is valid without packs and outside of git', () => {
    expect(parse({})).toMatchObject({id: 'demo', packs: [], policies: {default_decision: 'allow'}});
  });

  it('is valid with the examples that its comments give', () => {
    const text = workspaceText({id: 'demo', pins: [], schemaPath: './s.json', isGit: true});
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
});
