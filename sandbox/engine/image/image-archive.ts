// The runner image as one archive, in the form that engines and containerd import: a manifest, a configuration and a layer.
import {createHash} from 'node:crypto';
import {createWriteStream} from 'node:fs';
import {rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {makeOwnedFolder} from '../../backends/leftover-folders.ts';
import {tarArchive, type TarEntry} from './tar-archive.ts';

export interface ImageArchive {
  /** Reads files that exist only during the work. */
  readonly archive: AsyncIterable<Uint8Array>;
  /** `sha256:…` of its configuration. */
  readonly id: string;
  /** With its tag. */
  readonly name: string;
}

/** Its value is the key of the image: a hash of what it was built from. */
export const imageLabel = 'dev.lumenflow.runner';
const repository = 'lumenflow-runner';
const tagDigits = 12;

/** Rejects if a file cannot be read. */
export async function withImageArchive<T>(
  files: readonly TarEntry[],
  key: string,
  work: (archive: ImageArchive) => Promise<T>,
): Promise<T> {
  const folder = await makeOwnedFolder(tmpdir(), 'lumenflow-image');
  try {
    const layerPath = join(folder, 'layer.tar');
    const config = configOf(await writeLayer(files, layerPath), key);
    const digest = createHash('sha256').update(config).digest('hex');
    const name = `${repository}:${key.slice(0, tagDigits)}`;
    const {size, mtimeMs} = await stat(layerPath);
    const archive = tarArchive([
      textFile(`${digest}.json`, config),
      {path: 'layer.tar', kind: 'file', isExecutable: false, size, content: {path: layerPath, mtimeMs}},
      textFile('manifest.json', JSON.stringify([{Config: `${digest}.json`, RepoTags: [name], Layers: ['layer.tar']}])),
    ]);
    return await work({archive, id: `sha256:${digest}`, name});
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** Returns its digest. */
async function writeLayer(files: readonly TarEntry[], path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(
    tarArchive(files),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  return hash.digest('hex');
}

function configOf(layerDigest: string, key: string): string {
  return JSON.stringify({
    architecture: process.arch === 'x64' ? 'amd64' : 'arm64',
    os: 'linux',
    created: '1970-01-01T00:00:00Z',
    config: {Env: [], Labels: {[imageLabel]: key}},
    rootfs: {type: 'layers', diff_ids: [`sha256:${layerDigest}`]},
    history: [{created: '1970-01-01T00:00:00Z', created_by: 'lumenflow sandbox image build'}],
  });
}

function textFile(path: string, text: string): TarEntry {
  return {path, kind: 'file', isExecutable: false, size: Buffer.byteLength(text), content: {text}};
}
