// What a manifest says for readers: words for states, kinds of evidence, lanes to copy.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {parse} from 'yaml';
import {assertBuilt, initialize, makeFolder, runCommand, runCommandForJson} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const cwd = folder.path;
const run = (...args: string[]) => runCommand(args, {cwd});
const json = (...args: string[]) => runCommandForJson(args, {cwd});
const lane = {id: 'review', wip_limit: 2, allowed_scopes: [{type: 'path', pattern: 'docs/**', access: 'read'}]};

function writePack(more: object): void {
  const manifest = {id: 'talk', version: '0.1.0', manifest_version: 1, task_types: ['talk'], tools: []};
  mkdirSync(join(cwd, 'talk'), {recursive: true});
  writeFileSync(join(cwd, 'talk/manifest.yaml'), JSON.stringify({...manifest, ...more}));
}

beforeAll(async () => {
  assertBuilt();
  await initialize(cwd, '--id', 'demo');
  const file = join(cwd, 'workspace.yaml');
  const pin = '  - {id: talk, version: 0.1.0, integrity: dev, source: local, path: talk}\n';
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^packs:$/mu, `packs:\n${pin}`));
  writePack({state_aliases: {active: 'talking'}, evidence_types: ['minutes'], lane_templates: [lane]});
});
afterAll(() => folder.remove());

it('ignored-config: state_aliases are shown for tasks of the pack’s types, and for no others', async () => {
  for (const [id, ...type] of [['t1', '--type', 'talk'], ['t2']] as const) {
    await run('task', 'create', id, ...type);
    await run('task', 'claim', id, '--session', id);
  }
  const {tasks} = (await json('task', 'list')).document as unknown as {tasks: object[]};
  expect(tasks).toMatchObject([
    {task_id: 't1', state: 'active', state_alias: 'talking'},
    {task_id: 't2', state: 'active'},
  ]);
  expect(tasks[1]).not.toHaveProperty('state_alias');
  expect((await run('task', 'list')).stdout).toMatch(/^t1 +main +talking /mu);
  expect((await run('task', 'show', 't1')).stdout).toContain('talking (active)');
  expect((await json('task', 'show', 't1')).document['task']).toMatchObject({state_alias: 'talking'});
});

it('ignored-config: evidence_types and lane_templates are shown, the lanes ready to be copied', async () => {
  const {stdout} = await run('pack', 'show', 'talk');
  expect(stdout).toMatch(/^evidence +minutes$/mu);
  expect(stdout).toMatch(/^states +active is called talking$/mu);
  expect(parse(stdout.slice(stdout.indexOf('\nlanes:')))).toEqual({lanes: [lane]});
  expect(await json('pack', 'show', 'talk')).toMatchObject({
    document: {pack: {id: 'talk', evidence_types: ['minutes'], lane_templates: [lane]}},
  });
  expect(await json('pack', 'show', 'gone')).toMatchObject({code: 1, document: {error: {code: 'PACK_NOT_FOUND'}}});
});

it('a word for a state that there is not, or a kind named twice, is a problem of the manifest', async () => {
  writePack({state_aliases: {activ: 'talking'}, evidence_types: ['a', 'a']});
  const {code, document} = await json('pack', 'validate', 'talk');
  expect(code).toBe(1);
  const problems = JSON.stringify(document);
  expect(problems).toContain('/state_aliases');
  expect(problems).toContain('/evidence_types');
});
