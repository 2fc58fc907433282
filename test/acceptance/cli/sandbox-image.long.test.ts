// `lumenflow sandbox image save`, judged as an importer does: by the manifest of the image, and by the digests of what it names.
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {assertBuilt, makeFolder, runForJson} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
beforeAll(assertBuilt);
afterAll(() => folder.remove());

const at = (name: string): string => join(folder.path, name);
const sha256 = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(at(name)))
    .digest('hex');
const json = (name: string): unknown => JSON.parse(readFileSync(at(name), 'utf8'));

test('a saved image names its configuration and its layer by their digests, and is not overwritten', async () => {
  const save = async () => await runForJson(['sandbox', 'image', 'save', 'runner.tar'], {cwd: folder.path});
  const {code, document} = await save();
  expect({code, ...document}).toMatchObject({
    code: 0,
    path: at('runner.tar'),
    bytes: statSync(at('runner.tar')).size,
    name: expect.stringMatching(/^lumenflow-runner:[0-9a-f]{12}$/),
  });
  execFileSync('tar', ['xf', at('runner.tar')], {cwd: folder.path});
  const [image] = json('manifest.json') as [{Config: string; RepoTags: string[]; Layers: [string]}];
  expect(image.RepoTags).toEqual([document['name']]);
  expect(`sha256:${sha256(image.Config)}`).toBe(document['id']);
  expect(json(image.Config)).toMatchObject({rootfs: {diff_ids: [`sha256:${sha256(image.Layers[0])}`]}});
  const layer = execFileSync('tar', ['tf', at(image.Layers[0])], {encoding: 'utf8', maxBuffer: 2 ** 24});
  expect(layer.split('\n')).toContain(process.execPath.slice(1));
  expect(await save()).toMatchObject({code: 1, document: {error: {code: 'SANDBOX_UNAVAILABLE'}}});
});
