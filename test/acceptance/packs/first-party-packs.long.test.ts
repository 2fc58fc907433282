// The first-party packs in workspaces outside of the checkout: as `init` pins them, and as the guides do.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {blocksOf} from '../../support/doc-page.ts';
import {runForJson} from '../../support/lumenflow-program.ts';
import {makePackStage} from './pack-stage.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** Guides that write a whole workspace.yaml with a first-party pack. */
const guides = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .flatMap((page) => {
    const blocks = blocksOf(readFileSync(join(docs, page), 'utf8'));
    const [block] = blocks.filter(
      ({info, text}) => info === 'yaml workspace.yaml' && text.includes('@lumenflow/pack-'),
    );
    // Of rules and sets that it includes.
    const included = blocks.flatMap(({info, text}) => {
      const [, path] = /^yaml (policies\/\S+)$/u.exec(info) ?? [];
      return path === undefined ? [] : [[`ws/${path}`, text] as const];
    });
    return block === undefined ? [] : [{page, text: block.text, included: Object.fromEntries(included)}];
  });

test('several guides do', () => expect(guides.length).toBeGreaterThan(3));

test.each(guides)('the workspace of docs/$page works in an empty folder', async ({text, included}) => {
  const stage = makePackStage();
  stage.write({'ws/workspace.yaml': text, ...included});
  expect(existsSync(join(stage.workspace, 'node_modules'))).toBe(false);
  const {document} = await stage.json('tools', 'list');
  expect(document).toMatchObject({
    ok: true,
    tools: expect.arrayContaining([expect.objectContaining({pack: expect.any(String)})]),
  });
  expect(await stage.loadProblems()).toEqual([]);
});

test('init writes pins without a path, which work on every machine', async () => {
  const stage = makePackStage();
  await runForJson(['init', 'new'], {cwd: stage.root});
  const {packs} = parse(readFileSync(join(stage.root, 'new/workspace.yaml'), 'utf8')) as {packs: object[]};
  expect(packs).toMatchObject(
    [
      {id: 'software-delivery', source: 'npm', package: '@lumenflow/pack-software-delivery'},
      {id: 'agent-runtime', source: 'npm', package: '@lumenflow/pack-agent-runtime'},
    ].map((pin) => ({...pin, integrity: expect.stringMatching(/^sha256:/u)})),
  );
  const {document} = await runForJson(['tools', 'call', 'file:list'], {cwd: join(stage.root, 'new')});
  expect(document).toMatchObject({ok: true});
});
