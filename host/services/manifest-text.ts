// The manifest of a service's pack as text. It is read at each start, and its terms are in packs.lock, so its length is limited.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ServiceProblem} from '@lumenflow/kernel/adapters';
import type {PackManifest} from '@lumenflow/schemas';
import {stringify} from 'yaml';

const lengthMax = 720 * 1024;
const head = "# Made of the service's document and of its pin in workspace.yaml.\n";

export function manifestText(manifest: PackManifest): Outcome<string, ServiceProblem> {
  const text = head + stringify(manifest, {lineWidth: 0, aliasDuplicateObjects: false});
  if (text.length <= lengthMax) return ok(text);
  const share = Math.floor((lengthMax / text.length) * manifest.tools.length);
  return failed({
    message: `the ${manifest.tools.length} operations of the pack \`${manifest.id}\` are too many: their descriptions and schemas take ${text.length} characters, and the limit is ${lengthMax}`,
    help: `select about ${share} of them with \`--only\`, and pin others under another id`,
  });
}
