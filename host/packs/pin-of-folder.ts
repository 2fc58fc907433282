// The pin that says what a folder's manifest says, for a pack that is being written.
import {parseYamlDocument} from '@lumenflow/kernel/node';
import type {Problem} from '@lumenflow/kernel';
import type {PackManifest, PackPin} from '@lumenflow/schemas';
import {validateManifest} from '@lumenflow/schemas/validators';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';

export type PinOfFolder =
  | {readonly pin: PackPin; readonly manifest: PackManifest}
  | {readonly problems: readonly Problem[]};

/** `path` is what the pin names the folder by. Rejects when there is no manifest.yaml. */
export async function pinOfFolder(folder: string, path: string): Promise<PinOfFolder> {
  const file = join(folder, 'manifest.yaml');
  const {value, problems} = parseYamlDocument({
    text: await readFile(file, 'utf8'),
    file,
    validate: validateManifest,
    code: 'PACK_MANIFEST_INVALID',
  });
  if (problems.length > 0) return {problems};
  const manifest = value as PackManifest;
  const {id, version} = manifest;
  return {manifest, pin: {id, version, integrity: 'dev', source: 'local', path}};
}
