// Which files load a package as soon as another file is loaded: a command that needs no server must not load one.
import {posix} from 'node:path';
import {importsOf} from './imports-of.ts';
import type {Finding, SourceFile} from './source-file.ts';

/** Reports every import of one of `packages` that loading one of `entries` also loads, at the import. */
export function findLoadedPackages(
  files: readonly SourceFile[],
  entries: readonly string[],
  packages: readonly string[],
): readonly Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  /** The file that each file was reached from. */
  const from = new Map<string, string | undefined>(entries.map((path) => [path, undefined]));
  const findings: Finding[] = [];
  for (const path of from.keys()) {
    const file = byPath.get(path);
    if (file === undefined) continue;
    for (const {specifier, line} of importsOf(file).filter(({typeOnly, late}) => !typeOnly && !late)) {
      if (specifier === undefined) continue;
      const next = posix.join(posix.dirname(path), specifier);
      if (specifier.startsWith('.') && !from.has(next)) from.set(next, path);
      if (packages.some((name) => specifier === name || specifier.startsWith(`${name}/`))) {
        findings.push({path, line, message: `\`${specifier}\` is loaded by ${chainTo(path, from).join(' → ')}`});
      }
    }
  }
  return findings;
}

function chainTo(path: string, from: ReadonlyMap<string, string | undefined>): readonly string[] {
  const before = from.get(path);
  return before === undefined ? [path] : [...chainTo(before, from), path];
}
