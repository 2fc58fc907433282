// Reads the repository for the tidy rules: every file that belongs to it, and what each package.json declares.
import {readdirSync, readFileSync} from 'node:fs';
import {join, posix} from 'node:path';
import type {Package} from './rules/house.ts';
import type {SourceFile} from './rules/source-file.ts';

export const root: string = join(import.meta.dirname, '../..');

/** Written by tools, and ignored by git. */
const ignored = new Set(['.git', 'node_modules', 'dist', 'coverage', '.lumenflow']);
const textFile = /\.(ts|tsx|mts|cts|js|mjs|cjs|jsx|json|yaml|yml|md|sh|html|css|txt)$/;

function list(folder: string): readonly string[] {
  return readdirSync(join(root, folder), {withFileTypes: true})
    .filter(({name}) => !ignored.has(name))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? list(path) : entry.isFile() ? [path] : [];
    });
}

let read: readonly SourceFile[] | undefined;

/** The text files of the repository, tracked or about to be. Test files that share a process share the files, which do not change. */
export function readRepository(): readonly SourceFile[] {
  read ??= list('.')
    .filter((path) => textFile.test(path) || path.startsWith('.ci/'))
    .map((path) => ({path, text: readFileSync(join(root, path), 'utf8')}));
  return read;
}

/** Every file and folder of the repository. */
export function listPaths(): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const file of list('.')) {
    for (let path = file; path !== '.'; path = posix.dirname(path)) paths.add(path);
  }
  return paths;
}

interface PackageJson {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The root (folder '') and the workspaces. */
export function readPackages(files: readonly SourceFile[]): readonly Package[] {
  return files
    .filter(({path}) => posix.basename(path) === 'package.json' && !path.split('/').includes('fixtures'))
    .map(({path, text}) => {
      const json = JSON.parse(text) as PackageJson;
      return {
        name: json.name,
        folder: path === 'package.json' ? '' : posix.dirname(path),
        entries: Object.keys(json.exports ?? {}),
        dependencies: Object.keys({...json.dependencies, ...json.peerDependencies}),
        devDependencies: Object.keys(json.devDependencies ?? {}),
      };
    });
}
