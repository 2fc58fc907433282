// Writes a pin into workspace.yaml.
import type {PackPin} from '@lumenflow/schemas';
import {readFile, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isSeq, type Document} from 'yaml';
import {editYaml} from '../../text/edit-yaml.ts';

/** Replaces the pin with the same id, or adds one, whose YAML node `decorate` changes. */
export async function writePin(workspaceRoot: string, pin: PackPin, decorate?: (node: unknown) => void): Promise<void> {
  const file = join(workspaceRoot, 'workspace.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(`${file}.new`, withPin(text, pin, decorate));
  await rename(`${file}.new`, file);
}

export function withPin(text: string, pin: PackPin, decorate?: (node: unknown) => void): string {
  return editYaml(text, (document) => setPin(document, pin, decorate));
}

function setPin(document: Document, pin: PackPin, decorate?: (node: unknown) => void): void {
  const {packs = []} = document.toJS() as {packs?: readonly {readonly id?: unknown}[] | null};
  const index = (packs ?? []).findIndex(({id}) => id === pin.id);
  if (index === -1) {
    const node = document.createNode(pin);
    decorate?.(node);
    const listed = document.get('packs', true);
    if (isSeq(listed)) {
      // An empty list is written as `[]`.
      if (listed.items.length === 0) listed.flow = false;
      listed.add(node);
    } else document.set('packs', document.createNode([node]));
  } else for (const [key, value] of Object.entries(pin)) document.setIn(['packs', index, key], value);
}
