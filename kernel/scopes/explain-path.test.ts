import {describe, expect, it} from 'vitest';
import {grantScopes} from './grant-scopes.ts';
import {compileHoles} from './holes.ts';
import {compileScopeLayer, unrestrictedLayer, type ScopeLayer} from './scope-layer.ts';
import type {Grant} from './grant.ts';

function layer(name: ScopeLayer['name'], pattern: string, where: string): ScopeLayer {
  const scopes = [{type: 'path' as const, pattern, access: 'write' as const}];
  return compileScopeLayer({name, scopes, where: () => where, networkDefault: 'off'}).layer;
}

function grantOf(): Grant {
  const grant = grantScopes({
    layers: [
      layer('workspace', '**', 'workspace.yaml:3:5'),
      layer('lane', 'src/**', 'workspace.yaml:9:7'),
      unrestrictedLayer('task', 'task T'),
      layer('tool', '**/*.ts', 'manifest.yaml:4:5'),
    ],
    holes: compileHoles(['src/secret/**'], () => 'workspace.yaml:20:5').holes,
  });
  if (!grant.ok) throw new Error(grant.problem.message);
  return grant.value;
}

describe('whyNot', () => {
  it('says nothing of a path that is granted', () => {
    expect(grantOf().whyNot('src/a.ts', 'write')).toBeUndefined();
  });

  it.each([
    ['docs/a.ts', 'lane', 'workspace.yaml:9:7', 'the lane does not allow writing `docs/a.ts`'],
    ['src/a.md', 'tool', 'manifest.yaml:4:5', 'the tool does not allow writing `src/a.md`'],
    [
      'src/secret/k.ts',
      'workspace',
      'workspace.yaml:20:5',
      '`src/secret/k.ts` is inside the deny overlay `src/secret/**`',
    ],
    [
      'src/SECRET/k.ts',
      'workspace',
      'workspace.yaml:20:5',
      '`src/SECRET/k.ts` is inside the deny overlay `src/secret/**`',
    ],
  ])('names the layer and the place for %s', (path, name, where, message) => {
    expect(grantOf().whyNot(path, 'write')).toMatchObject({layer: name, where, message, access: 'write'});
  });

  it.each(['.lumenflow/kernel/events/1', 'x/../.lumenflow/y', './/.LumenFlow'])(
    'names the reserved path for %s',
    (path) => {
      const refusal = grantOf().whyNot(path, 'read');
      expect(refusal).toMatchObject({message: `\`${path}\` is inside the reserved path \`.lumenflow\``});
      expect(refusal?.layer).toBeUndefined();
    },
  );

  it('calls the reserved path itself reserved', () => {
    expect(grantOf().whyNot('.lumenflow', 'read')).toMatchObject({message: '`.lumenflow` is reserved'});
  });

  it.each([
    ['../x', 'leads outside the workspace'],
    ['/etc/passwd', 'is absolute'],
    ['a\0b', 'contains a NUL'],
    ['a\\b', 'contains a backslash'],
  ])('refuses %j as a path of the workspace, with the reason', (path, why) => {
    const message = grantOf().whyNot(path, 'read')?.message;
    expect(message).toContain(`\`${path}\` is not a path in the workspace: it ${why}`);
  });

  it('agrees with allows', () => {
    const grant = grantOf();
    for (const path of ['src/a.ts', 'src/b/c.ts', 'src/a.js', 'a.ts', 'src/secret/a.ts', '.lumenflow/x', '../a.ts']) {
      expect(grant.whyNot(path, 'write') === undefined).toBe(grant.allows(path, 'write'));
    }
  });
});
