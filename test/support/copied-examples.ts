// The examples in a copy of the repository's tree whose workspaces use another sandbox: the rest of the tree is the repository's own.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {parseDocument} from 'yaml';
import {removeTree} from './remove-tree.ts';

export interface CopiedExamples {
  /** That contains a folder for each example. */
  readonly folder: string;
  remove(): void;
}

export function copyExamples(
  repository: string,
  sandbox: NonNullable<WorkspaceSpec['security']['sandbox']>,
): CopiedExamples {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-examples-')));
  const folder = join(root, 'examples');
  mkdirSync(folder);
  for (const name of readdirSync(repository).filter((entry) => entry !== 'examples'))
    symlinkSync(join(repository, name), join(root, name));
  cpSync(join(repository, 'examples'), folder, {recursive: true, filter: (path) => basename(path) !== '.lumenflow'});
  for (const path of readdirSync(folder)
    .map((name) => join(folder, name, 'workspace.yaml'))
    .filter(existsSync)) {
    const document = parseDocument(readFileSync(path, 'utf8'));
    document.setIn(['security', 'sandbox'], sandbox);
    writeFileSync(path, String(document));
  }
  return {folder, remove: () => removeTree(root)};
}
