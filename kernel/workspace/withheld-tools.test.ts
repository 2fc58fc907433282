import {policyPorts} from '../policy/policy-ports.fixture.ts';
import {expect, test} from 'vitest';
import type {LoadedPack} from '../packs/loaded-pack.ts';
import {findWithheldTools, type WithheldTools} from './withheld-tools.ts';

const names = ['notes:add', 'notes:list', 'report:week', 'repair'];
const catalogue = {default: 'core', sets: {core: ['notes:*'], reports: ['report:*']}};

function find(config: unknown): WithheldTools {
  const pack = {
    manifest: {catalogue, config_key: 'notes'},
    config,
    tools: names.map((name) => ({declaration: {name, ...(name === 'repair' && {audience: 'operator'})}})),
  } as unknown as LoadedPack;
  const ports = {compileRegex: policyPorts.compileRegex};
  return findWithheldTools([pack], {locate: (pointer) => `workspace.yaml${pointer}`, ports});
}

test.each([
  [{}, ['notes:add', 'notes:list']],
  [{tools: 'all'}, ['notes:add', 'notes:list', 'report:week']],
  [{tools: 'reports'}, ['report:week']],
  [{tools: ['reports', 'notes:add']}, ['notes:add', 'report:week']],
  [{tools: ['core', 'report:*']}, ['notes:add', 'notes:list', 'report:week']],
  [{tools: []}, []],
  [{tools: 'none'}, []],
])('%j offers %j', (config, offered) => {
  const {reasons, problems} = find(config);
  expect(names.filter((name) => !reasons.has(name))).toEqual(offered);
  expect(problems).toEqual([]);
});

test('a name that fits nothing is reported, and nothing is offered by it', () => {
  const {reasons, problems} = find({tools: ['cor']});
  expect(reasons.size).toBe(names.length);
  expect(problems).toMatchObject([
    {severity: 'warning', where: 'workspace.yaml/notes/tools/0', help: 'did you mean `core`?'},
  ]);
});

test.each([[{tools: {core: true}}], [{tools: [7]}], [{tools: ['no {glob}']}]])('%j is an error', (config) => {
  const {reasons, problems} = find(config);
  expect(reasons.size).toBe(names.length);
  expect(problems).toMatchObject([{code: 'PACK_CONFIG_INVALID', severity: 'error'}]);
});
