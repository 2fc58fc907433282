// Puts an installed package of npm and what it depends on into the node_modules of a test's workspace.
import {cpSync, existsSync, readFileSync} from 'node:fs';
import {dirname, join, sep} from 'node:path';

/** `from` is a folder from which the package is found as Node finds it. */
export function copyPackage(name: string, from: string, modules: string): void {
  const source = findPackage(name, from);
  if (source === undefined) throw new Error(`the package \`${name}\` is not installed`);
  const target = join(modules, name);
  if (existsSync(target)) return;
  cpSync(source, target, {
    recursive: true,
    filter: (path) => !path.slice(source.length).includes(`${sep}node_modules`),
  });
  const {dependencies = {}, optionalDependencies = {}} = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  ) as {dependencies?: object; optionalDependencies?: object};
  const optional = Object.keys(optionalDependencies).filter((each) => findPackage(each, source) !== undefined);
  // Each has its own: versions differ.
  for (const dependency of [...Object.keys(dependencies), ...optional]) {
    copyPackage(dependency, source, join(target, 'node_modules'));
  }
}

function findPackage(name: string, from: string): string | undefined {
  const candidate = join(from, 'node_modules', name);
  if (existsSync(join(candidate, 'package.json'))) return candidate;
  const parent = dirname(from);
  return parent === from ? undefined : findPackage(name, parent);
}
