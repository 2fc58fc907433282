import type {Scope} from '@lumenflow/schemas';
import {describe, expect, test} from 'vitest';
import type {Outcome} from '../outcome.ts';
import {grantScopes} from './grant-scopes.ts';
import type {Grant} from './grant.ts';
import {compileHoles} from './holes.ts';
import type {ScopeDenial} from './scope-denial.ts';
import {compileScopeLayer, unrestrictedLayer} from './scope-layer.ts';
import type {ScopeLayer, ScopeLayerName} from './scope-layer.ts';

const read = (pattern: string): Scope => ({type: 'path', pattern, access: 'read'});
const write = (pattern: string): Scope => ({type: 'path', pattern, access: 'write'});
const full: Scope = {type: 'network', posture: 'full'};
const reach = (...allowlist_entries: string[]): Scope => ({type: 'network', posture: 'allowlist', allowlist_entries});

interface Declared {
  readonly workspace?: readonly Scope[];
  readonly lane?: readonly Scope[];
  readonly task?: readonly Scope[];
  readonly tool: readonly Scope[];
  readonly overlays?: readonly string[];
}

function layerOf(name: ScopeLayerName, scopes: readonly Scope[] | undefined): ScopeLayer {
  if (scopes === undefined) return unrestrictedLayer(name, `${name}.yaml`);
  const where = (index: number): string => `${name}.yaml:${index + 1}:1`;
  return compileScopeLayer({name, scopes, where, networkDefault: 'off'}).layer;
}

function answer({workspace, lane, task, tool, overlays = []}: Declared): Outcome<Grant, ScopeDenial> {
  const layers = [layerOf('workspace', workspace), layerOf('lane', lane), layerOf('task', task), layerOf('tool', tool)];
  return grantScopes({layers, holes: compileHoles(overlays, (index) => `overlay:${index}`).holes});
}

function denied(declared: Declared): ScopeDenial {
  const grant = answer(declared);
  return grant.ok ? expect.fail('it was granted') : grant.problem;
}

function granted(declared: Declared): Grant {
  const grant = answer(declared);
  if (!grant.ok) throw new Error(grant.problem.message);
  return grant.value;
}

describe('a grant is what all four layers allow', () => {
  test('of paths', () => {
    const grant = granted({
      workspace: [write('src/**'), read('docs/**')],
      lane: [write('**/*.ts'), read('**')],
      task: [write('src/a/**'), read('**')],
      tool: [write('**'), read('docs/*.md')],
    });
    expect(grant.toGrantedScopes()).toEqual({
      read: ['docs/**', 'src/**'],
      write: ['src/a/**/*.ts'],
      network: {posture: 'off', allowlist_entries: []},
    });
    expect(grant.allows('src/a/x.ts', 'write')).toBe(true);
    expect(grant.allows('./src//b/../a/x.ts', 'write')).toBe(true);
    expect(grant.allows('src/b/x.ts', 'write')).toBe(false);
    expect(grant.allows('src/b/x.ts', 'read')).toBe(true);
    expect(grant.allows('../src/a/x.ts', 'write')).toBe(false);
    expect(grant.allows('/src/a/x.ts', 'write')).toBe(false);
  });

  test('with what the tool names beside the wildcard that covers it', () => {
    const tool = [write('worktrees/**'), write('worktrees/*/.git'), write('worktrees/a'), write('worktrees/*/b*')];
    expect(granted({lane: [write('**')], tool}).toGrantedScopes().write).toEqual([
      'worktrees/**',
      'worktrees/*/.git',
      'worktrees/a',
    ]);
    expect(granted({lane: [write('worktrees/x/**')], tool: tool.slice(0, 2)}).toGrantedScopes().write).toEqual([
      'worktrees/x/**',
      'worktrees/x/.git',
    ]);
  });

  test('and the tool may read what it may write, as far as the layers allow', () => {
    const grant = granted({workspace: [write('**')], lane: [read('**'), write('src/**')], tool: [write('**')]});
    expect(grant.toGrantedScopes()).toMatchObject({read: ['**'], write: ['src/**']});
  });

  test('of the network', () => {
    const grant = granted({
      workspace: [full],
      lane: [reach('*.example.com:443', '10.0.0.0/8')],
      task: [reach('api.example.com:443', '10.1.0.0/16:22')],
      tool: [full],
    });
    expect(grant.toGrantedScopes().network).toEqual({
      posture: 'allowlist',
      allowlist_entries: ['10.1.0.0/16:22', 'api.example.com:443'],
    });
  });

  test('and nothing that the tool does not ask for', () => {
    const grant = granted({workspace: [write('**'), full], lane: [write('**'), full], tool: [read('a')]});
    expect(grant.toGrantedScopes()).toEqual({
      read: ['a'],
      write: [],
      network: {posture: 'off', allowlist_entries: []},
    });
    expect(granted({tool: []}).allows('a', 'read')).toBe(false);
  });

  test('and nothing at all without a tool', () => {
    const grant = grantScopes({layers: [unrestrictedLayer('lane', 'l')], holes: compileHoles([], () => '').holes});
    expect(grant).toMatchObject({ok: true, value: {read: []}});
  });
});

describe('what the tool requires must stay, or the layer that took it is named', () => {
  test.each<[string, Declared, Partial<ScopeDenial>]>([
    [
      'partial denial: docs may be read, src may not be written',
      {workspace: [write('**')], lane: [read('docs/**')], tool: [read('docs/**'), write('src/**')]},
      {access: 'write', layer: 'lane', where: 'lane.yaml:1:1', rule_id: 'kernel.scope.boundary', reason: 'emptied'},
    ],
    [
      'one of two required patterns of the same access',
      {workspace: [read('**')], task: [read('docs/**')], tool: [read('docs/**'), read('src/**')]},
      {access: 'read', layer: 'task', where: 'task.yaml:1:1'},
    ],
    [
      'an empty layer',
      {workspace: [], tool: [read('a')]},
      {access: 'read', layer: 'workspace', where: 'workspace.yaml:1:1'},
    ],
    [
      'the first of several',
      {workspace: [read('a/**')], lane: [read('b/**')], task: [read('c/**')], tool: [read('**')]},
      {layer: 'lane'},
    ],
    [
      'no path left although each layer leaves some',
      {
        workspace: [write('**/*.ts')],
        lane: [write('**/*.md'), write('src/**')],
        task: [write('docs/**')],
        tool: [write('**')],
      },
      {layer: 'task', access: 'write'},
    ],
    [
      'network that a layer does not declare',
      {workspace: [full], lane: [read('**')], tool: [reach('a.example:443')]},
      {access: 'network', layer: 'lane', where: 'lane.yaml:1:1'},
    ],
    [
      'network that a layer lists otherwise',
      {workspace: [full], lane: [full], task: [read('**'), reach('a.example:80')], tool: [reach('a.example:443')]},
      {access: 'network', layer: 'task', where: 'task.yaml:2:1'},
    ],
    ['the full network', {workspace: [read('**')], tool: [full]}, {access: 'network', layer: 'workspace'}],
    [
      'an address of the host under full',
      {workspace: [full], tool: [reach('127.0.0.1:80')]},
      {access: 'network', layer: 'workspace', help: expect.stringContaining('`full` leaves out')},
    ],
  ])('%s', (_, declared, expected) => {
    expect(denied(declared)).toMatchObject(expected);
  });

  test('in words that say what, where and what to do', () => {
    expect(denied({lane: [read('**')], tool: [write('src/**')]})).toMatchObject({
      message: 'the lane grants none of the write access to `src/**` that the tool requires',
      help: 'add a write scope to `allowed_scopes` of the lane; the tool asks for it at tool.yaml:1:1',
    });
    expect(denied({workspace: [], tool: [reach('a.example:443')]})).toMatchObject({
      message: 'the workspace grants none of the network access that the tool requires: `a.example:443`',
      help: 'add a network scope to `security.allowed_scopes` of the workspace; the tool asks for it at tool.yaml:1:1',
    });
  });
});

describe('holes', () => {
  const spellings = [
    '.lumenflow/**',
    '**/.lumenflow/**',
    'a/.lumenflow',
    './/.LumenFlow/x',
    '{.lumenflow,.lumenflow/x}/**',
    '.lumenflow',
  ];
  test.each(spellings)('%s is within the reserved path', (pattern) => {
    expect(denied({tool: [write(pattern)]})).toMatchObject({
      layer: 'tool',
      where: 'tool.yaml:1:1',
      reason: 'hole',
      rule_id: 'kernel.scope.reserved-path',
    });
  });

  test('the layer that leaves only the reserved path is named', () => {
    expect(denied({lane: [write('.lumenflow/**')], tool: [write('**')]})).toMatchObject({
      layer: 'lane',
      where: 'lane.yaml:1:1',
      rule_id: 'kernel.scope.reserved-path',
    });
  });

  test.each(['**', '.lumenflo?/**', '{.lumenflow,x}/**', '.*/**'])(
    '%s is granted, the reserved path is not',
    (pattern) => {
      const grant = granted({tool: [write(pattern)]});
      for (const path of [
        '.lumenflow',
        '.lumenflow/kernel/events/1',
        'x/../.lumenflow/x',
        '.Lumenflow/x',
        'x/.lumenflow/y',
      ]) {
        expect(grant.allows(path, 'write')).toBe(false);
        expect(grant.allows(path, 'read')).toBe(false);
      }
      expect(grant.toGrantedScopes().write).not.toContain('.lumenflow/**');
    },
  );

  test('a deny overlay around all that is required is named', () => {
    expect(denied({overlays: ['x', 'secrets/**'], tool: [read('secrets/*.key')]})).toMatchObject({
      layer: 'workspace',
      where: 'overlay:1',
      reason: 'hole',
      rule_id: 'kernel.scope.boundary',
      message: 'the read access to `secrets/*.key` that the tool requires is inside the deny overlay `secrets/**`',
    });
  });

  test('a deny overlay within a grant cuts', () => {
    const grant = granted({overlays: ['.env', '**/*.pem'], tool: [write('**')]});
    expect(grant.allows('a', 'write')).toBe(true);
    expect(grant.allows('.env', 'read')).toBe(false);
    expect(grant.allows('a/b.pem', 'read')).toBe(false);
  });
});

describe('31 × 31 × 31 × 4 scopes', () => {
  const scopes = (count: number, pattern: (n: number) => string): Scope[] =>
    Array.from({length: count}, (_, n) => write(pattern(n)));

  test('are granted when what they leave is small', () => {
    const grant = granted({
      workspace: scopes(31, (n) => `packages/p${n}/**`),
      lane: scopes(31, (n) => `packages/p${n}/src/**`),
      task: scopes(31, (n) => `packages/p${n}/**/*.ts`),
      tool: scopes(4, (n) => `packages/*${n}/**`),
    });
    expect(grant.write).toHaveLength(13);
    expect(grant.allows('packages/p30/src/x.ts', 'write')).toBe(true);
  });

  test('are refused when finding out would stall', () => {
    const blowUp = {
      workspace: scopes(31, (n) => `**/a${n}/**`),
      lane: scopes(31, (n) => `**/b${n}/**`),
      task: scopes(31, (n) => `**/c${n}/**`),
      tool: scopes(4, (n) => `**/d${n}/**`),
    };
    expect(denied(blowUp)).toMatchObject({reason: 'too_complex', layer: 'lane', rule_id: 'kernel.scope.boundary'});
  });

  test('of a tool are refused when together they leave too much', () => {
    const tool = scopes(5, (n) => `${n}${'{a,b}'.repeat(8)}`);
    expect(denied({tool: [...tool]})).toMatchObject({reason: 'too_complex', layer: 'tool'});
  });
});

describe('what the tool names stays beside what covers it', () => {
  test.each([
    [
      ['**', '.npmrc'],
      ['**', '.npmrc'],
    ],
    [
      ['**', '.git/hooks/**'],
      ['**', '.git/hooks/**'],
    ],
    [
      ['**', 'a/?/.vscode/**'],
      ['**', 'a/?/.vscode/**'],
    ],
    [['**', '**/.vscode/**', 'a/*/**'], ['**']],
  ])('of %j: %j', (patterns, kept) => {
    const {write: granted_write} = granted({workspace: [write('**')], lane: [write('**')], tool: patterns.map(write)});
    expect(granted_write.map(({text}) => text)).toEqual(kept);
  });

  test('only as far as the other layers allow', () => {
    const tool = [write('**'), write('.git/hooks/**')];
    const {write: left} = granted({
      workspace: [write('**')],
      lane: [write('src/**'), write('.git/hooks/pre-commit')],
      tool,
    });
    expect(left.map(({text}) => text)).toEqual(['.git/hooks/pre-commit', 'src/**']);
  });
});
