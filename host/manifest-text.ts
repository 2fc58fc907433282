// The manifest of a generated pack as text. Its terms are in packs.lock, which is read at each start, so its length is limited.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {PackManifest} from '@lumenflow/schemas';
import {stringify} from 'yaml';

const lengthMax = 4 * 1024 * 1024;

export interface ManifestWords {
  /** What the pack was made of. */
  readonly source: string;
  /** What its tools are there. */
  readonly tools: string;
  /** How to have fewer. */
  readonly fewer: string;
}

export interface TooLong {
  readonly message: string;
  readonly help: string;
}

export function manifestText(manifest: PackManifest, words: ManifestWords): Outcome<string, TooLong> {
  const head = `# Made of ${words.source} and of its pin in workspace.yaml.\n`;
  const text = head + stringify(manifest, {lineWidth: 0, aliasDuplicateObjects: false});
  if (text.length <= lengthMax) return ok(text);
  const share = Math.floor((lengthMax / text.length) * manifest.tools.length);
  return failed({
    message: `the ${manifest.tools.length} ${words.tools} of the pack \`${manifest.id}\` are too many: their descriptions and schemas take ${text.length} characters, and the limit is ${lengthMax}`,
    help: `${words.fewer.replace('N', `about ${share} of them`)}, and pin others under another id`,
  });
}
