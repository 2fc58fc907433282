// The files of a pack that npm does not ship. Npm decides this by its own lists, `files` in package.json, `.npmignore` and
// `.gitignore`, so that the hash of a folder, of a repository and of an installed package is the same.
import {createRequire} from 'node:module';
import type {PackFiles} from './pack-files.ts';

const require = createRequire(import.meta.url);
const listPublished = require('npm-packlist') as (tree: PackageTree) => Promise<string[]>;

/** The part of npm's tree of a package that the list depends on. Installed dependencies are never part of a pack. */
interface PackageTree {
  readonly path: string;
  readonly package: object;
  readonly isProjectRoot: true;
  readonly edgesOut: ReadonlyMap<string, unknown>;
}

/** Returns sorted paths. A link counts as shipped, because git ships it and its target decides what is loaded. */
export async function leftOutFiles(files: PackFiles): Promise<readonly string[]> {
  const published = await publishedFiles(files);
  return [...files.hashes.keys()].filter((path) => !published.has(path) && !files.links.has(path)).toSorted();
}

/** Paths of all files that npm ships, also those that are not part of the pack. */
export async function publishedFiles(files: PackFiles): Promise<ReadonlySet<string>> {
  const declared = await readPackage(files);
  const tree: PackageTree = {path: files.root, package: declared, isProjectRoot: true, edgesOut: new Map()};
  return new Set(await listPublished(tree));
}

/** Fields that npm would reject have no effect. */
async function readPackage(files: PackFiles): Promise<object> {
  if (!files.has('package.json')) return {};
  const found = parseObject(new TextDecoder().decode(await files.read('package.json')));
  const {files: listed, bin, main, browser} = found;
  const isText = (value: unknown): value is string => typeof value === 'string';
  const programs = isText(bin) ? [bin] : Object.values(bin ?? {});
  return {
    ...(Array.isArray(listed) && {files: listed.filter(isText)}),
    bin: programs.filter(isText).map((path) => path.replace(/^\.\//u, '')),
    ...(isText(main) && {main}),
    ...(isText(browser) && {browser}),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? {...value} : {};
  } catch {
    // Reported when the dependencies are read.
    return {};
  }
}
