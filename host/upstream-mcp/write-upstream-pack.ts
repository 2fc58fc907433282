// Writes a server's pack to the cache, in a separate folder for each manifest. It loads like any other pack.
import {ok, type Outcome} from '@lumenflow/kernel';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {copyFile, mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {manifestText, type ManifestWords} from '../manifest-text.ts';
import {handlerFile, handlerName, type DescribedUpstream} from './describe-upstream.ts';
import type {UpstreamProblem} from './upstream-problem.ts';
import {upstreamServer} from './upstream-server.ts';
import {writeWhole} from '../write-whole.ts';

const bundleName = 'upstream.js';
/** The second path is the build's output, for when this module runs from its source. */
const bundles = [new URL(bundleName, import.meta.url), new URL(`../dist/upstream-mcp/${bundleName}`, import.meta.url)];

const words: ManifestWords = {source: 'what the server says', tools: 'tools', fewer: 'keep N in the pin'};

/** Returns the absolute path of the folder. */
export async function writeUpstreamPack(
  folder: string,
  pin: PackPin,
  described: DescribedUpstream,
): Promise<Outcome<string, UpstreamProblem>> {
  const manifest = manifestText(described.manifest, words);
  if (!manifest.ok) return manifest;
  const server = JSON.stringify(upstreamServer(pin));
  const {definitions, prompts, resources} = described;
  const makers = [
    ...definitions.map((definition) => ['createUpstreamTool', definition] as const),
    ...prompts.map((prompt) => ['createUpstreamPrompt', prompt] as const),
    ...(resources.length === 0 ? [] : [['createUpstreamResource', resources] as const]),
  ];
  const handlers = makers.map(
    ([maker, approved], index) =>
      `export const ${handlerName(index)} = ${maker}(${server}, ${JSON.stringify(approved)});\n`,
  );
  const place = await writeModule(folder, {
    'manifest.yaml': manifest.value,
    [handlerFile]: `import {createUpstreamPrompt, createUpstreamResource, createUpstreamTool} from './${bundleName}';\n${handlers.join('')}`,
  });
  return ok(place);
}

/** The absolute path of a module whose handler `list` asks the server for its tools. */
export async function writeListingModule(folder: string, pin: PackPin): Promise<string> {
  const text = `import {createListing} from './${bundleName}';\nexport const list = createListing(${JSON.stringify({...upstreamServer(pin), isLasting: false})});\n`;
  return join(await writeModule(folder, {'list.js': text}), 'list.js');
}

async function writeModule(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  const bundle = bundles.find((candidate) => existsSync(candidate));
  if (!bundle) throw new Error(`\`${bundleName}\` was not built: run \`npm run build\``);
  const place = join(folder, sha256Hex(Buffer.from(JSON.stringify(files))).slice(0, 16));
  await mkdir(place, {recursive: true});
  await copyFile(fileURLToPath(bundle), join(place, bundleName));
  await writeWhole(place, 'package.json', '{"private": true, "type": "module"}\n');
  for (const [name, text] of Object.entries(files)) await writeWhole(place, name, text);
  return place;
}
