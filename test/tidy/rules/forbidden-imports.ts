// Compares every import with the table of layers and with what the package declares.
import {isBuiltin} from 'node:module';
import {posix} from 'node:path';
import {developmentFiles, entriesToName, type Layer, layerOf, type Package, packageOf} from './house.ts';
import {type ImportOf, importsOf} from './imports-of.ts';
import {type Finding, isTestCode, type SourceFile} from './source-file.ts';

interface Importer {
  readonly path: string;
  readonly layer: Layer | undefined;
  readonly home: Package;
  readonly isDevelopment: boolean;
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function judgeRelative(from: Importer, specifier: string, packages: readonly Package[]): string | undefined {
  const target = posix.join(posix.dirname(from.path), specifier);
  if (packageOf(target, packages)?.folder !== from.home.folder) return `leaves its package by \`${specifier}\``;
  if (layerOf(target)?.folder !== from.layer?.folder) return `leaves its layer by \`${specifier}\``;
  return undefined;
}

function judgeNode(from: Importer, specifier: string, typeOnly: boolean): string | undefined {
  if (!specifier.startsWith('node:')) return `imports \`${specifier}\`: write \`node:${specifier}\``;
  const mayLoad = from.isDevelopment || from.layer?.nodeIn?.includes(from.path) === true;
  const allowed = mayLoad ? 'yes' : (from.layer?.node ?? 'no');
  if (allowed === 'yes' || (allowed === 'types' && typeOnly)) return undefined;
  return allowed === 'types'
    ? `loads \`${specifier}\`: only types of Node may be imported here`
    : `imports \`${specifier}\`: this code is pure`;
}

function allows(rows: readonly string[], entry: string): boolean {
  if (entriesToName.includes(entry)) return rows.includes(entry);
  return rows.some((row) => row === entry || (entry.startsWith(`${row}/`) && layerOf(entry)?.folder === row));
}

function isPublicEntry(specifier: string, target: Package): boolean {
  return target.entries.some((entry) => {
    const [start = '', end] = `${target.name}${entry.slice(1)}`.split('*');
    return end === undefined ? specifier === start : specifier.startsWith(start) && specifier.endsWith(end);
  });
}

function judgeLayers({layer, isDevelopment}: Importer, entry: string, found: ImportOf): string | undefined {
  const {specifier, typeOnly} = found;
  if (!layer) return undefined;
  if (isDevelopment && allows(layer.packagesInTests ?? [], entry)) return undefined;
  if (allows(layer.packages, entry) || layerOf(entry)?.folder === layer.folder) return undefined;
  if (!allows(layer.typesOf ?? [], entry)) return `imports \`${specifier}\`, which ${layer.folder} may not`;
  return typeOnly ? undefined : `loads \`${specifier}\`: only its types may be imported here`;
}

function judgeOurs(from: Importer, target: Package, found: ImportOf & {specifier: string}): string | undefined {
  const {specifier} = found;
  const entry = `${target.folder}${specifier.slice(target.name.length)}`;
  const message = judgeLayers(from, entry, found);
  if (message !== undefined) return message;
  if (!isPublicEntry(specifier, target))
    return `imports \`${specifier}\`, which is not a public entry of ${target.name}`;
  const declared = [
    from.home.name,
    ...from.home.dependencies,
    ...(from.isDevelopment ? from.home.devDependencies : []),
  ];
  return declared.includes(target.name)
    ? undefined
    : `imports \`${specifier}\`, which ${from.home.folder}/package.json does not declare`;
}

function judgeNpm(from: Importer, specifier: string, root: Package): string | undefined {
  const name = packageName(specifier);
  const isNamed = (declared: readonly string[]): boolean =>
    declared.includes(name) || declared.includes(`@types/${name}`);
  const development = [...from.home.dependencies, ...from.home.devDependencies, ...root.devDependencies];
  if (from.isDevelopment) {
    return isNamed(development) ? undefined : `imports \`${specifier}\`, which no package.json declares`;
  }
  if (from.layer?.npm !== 'declared') return `imports \`${specifier}\`: this code may use no package of others`;
  return from.home.dependencies.includes(name)
    ? undefined
    : `imports \`${specifier}\`, which is not among the dependencies of ${from.home.folder}/package.json`;
}

function judge(from: Importer, found: ImportOf, packages: readonly Package[], root: Package): string | undefined {
  const {specifier} = found;
  if (specifier === undefined) {
    return from.layer?.node === 'no' && !from.isDevelopment ? 'imports a module whose name is computed' : undefined;
  }
  if (specifier.startsWith('.')) return judgeRelative(from, specifier, packages);
  if (isBuiltin(specifier)) return judgeNode(from, specifier, found.typeOnly);
  if (!/^[@a-z]/i.test(specifier) || specifier.includes(':'))
    return `imports \`${specifier}\`: name a package or a file`;
  const ours = packages.find(({name}) => name === packageName(specifier));
  return ours ? judgeOurs(from, ours, {...found, specifier}) : judgeNpm(from, specifier, root);
}

/** Imports that the table of layers or a package.json does not allow. `packages` contains the root with folder ''. */
export function findForbiddenImports(files: readonly SourceFile[], packages: readonly Package[]): readonly Finding[] {
  const root = packages.find(({folder}) => folder === '');
  if (!root) throw new Error('the packages do not contain the root');
  return files.flatMap((file): readonly Finding[] => {
    const {path} = file;
    const layer = layerOf(path);
    const isTestPackage = layer?.folder === 'test';
    const isDevelopment = isTestPackage || isTestCode(path) || developmentFiles.includes(path);
    if (!layer && !isDevelopment) return [{path, line: 1, message: 'is in no layer: add its folder to the table'}];
    const from: Importer = {path, layer, home: packageOf(path, packages) ?? root, isDevelopment};
    return importsOf(file).flatMap((found): readonly Finding[] => {
      const message = judge(from, found, packages, root);
      return message === undefined ? [] : [{path, line: found.line, message}];
    });
  });
}
