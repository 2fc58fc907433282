import type {WorkspaceSpec, Writes} from '@lumenflow/schemas';
import {policyPorts} from '../policy/policy-ports.fixture.ts';
import {describe, expect, test} from 'vitest';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {compileDirectWrites, type DirectWrites} from './direct-writes.ts';

const ports = {compileRegex: policyPorts.compileRegex, monotonic: () => 0};
const tools = [
  ['demo:build', 'direct'],
  ['demo:edit', undefined],
].map(([name, writes]) => ({name, declaration: {writes}}) as RegisteredTool);

function compile(direct_writes: readonly string[], laneWrites?: Writes): DirectWrites {
  const spec = {security: {direct_writes}, lanes: [{id: 'main', writes: laneWrites}]} as unknown as WorkspaceSpec;
  return compileDirectWrites({spec, locate: (pointer) => `workspace.yaml${pointer}`}, tools, ports);
}

describe('direct writes of a workspace', () => {
  test('are agreed to by name or glob, and each is warned of', () => {
    const {agrees, problems} = compile(['demo:*']);
    expect([agrees('demo:build'), agrees('other:build')]).toEqual([true, false]);
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'WRITES_DIRECT',
        severity: 'warning',
        where: 'workspace.yaml/security/direct_writes/0',
        message: expect.stringContaining('`demo:build` writes directly'),
      }),
    ]);
  });

  test('of a lane cause a warning, too', () => {
    expect(compile([], 'direct').problems).toMatchObject([
      {code: 'WRITES_DIRECT', where: 'workspace.yaml/lanes/0/writes'},
    ]);
  });

  test('that no tool declares have no effect, and say so', () => {
    expect(compile(['demo:edit']).problems).toMatchObject([
      {code: 'DIRECT_WRITES_WITHOUT_EFFECT', severity: 'warning'},
    ]);
  });

  test('with a glob that cannot match are refused', () => {
    const {agrees, problems} = compile(['demo {x}']);
    expect(problems).toMatchObject([{severity: 'error', where: 'workspace.yaml/security/direct_writes/0'}]);
    expect(agrees('demo:build')).toBe(false);
  });
});
