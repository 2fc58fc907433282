// At every folder, its children (files and subfolders) may form no cycle. A cycle between files is one between children of
// the deepest folder that contains them all, so this one rule covers files, folders and packages.
import {posix} from 'node:path';
import type {Package} from './house.ts';
import {importsOf} from './imports-of.ts';
import {type Finding, isTestCode, type SourceFile} from './source-file.ts';

interface Edge {
  readonly from: string;
  readonly to: string;
  /** The position of the import. */
  readonly path: string;
  readonly line: number;
  readonly specifier: string;
}

function fileEdges(files: readonly SourceFile[]): readonly Edge[] {
  return files.flatMap(({path, text}) =>
    importsOf({path, text}).flatMap(({specifier, line}): readonly Edge[] =>
      specifier?.startsWith('.')
        ? [{from: path, to: posix.join(posix.dirname(path), specifier), path, line, specifier}]
        : [],
    ),
  );
}

function packageEdges(files: readonly SourceFile[], packages: readonly Package[]): readonly Edge[] {
  const byEntry = packages
    .filter(({folder}) => folder !== '')
    .flatMap(({name, folder, entries}) => entries.map((entry) => ({entry: `${name}${entry.slice(1)}`, name, folder})));
  return files.flatMap((file) => {
    const home = packages.find(({folder}) => folder !== '' && file.path.startsWith(`${folder}/`));
    if (!home) return [];
    return importsOf(file).flatMap(({specifier, line}): readonly Edge[] => {
      const target = byEntry.find(({entry}) => entry === specifier);
      return target && specifier !== undefined && target.folder !== home.folder
        ? [{from: home.name, to: target.name, path: file.path, line, specifier}]
        : [];
    });
  });
}

/** Lifts edges between files to edges between the children of their common folder, grouped by that folder. */
function byFolder(edges: readonly Edge[]): ReadonlyMap<string, readonly Edge[]> {
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    const from = edge.from.split('/');
    const to = edge.to.split('/');
    let depth = 0;
    while (depth < from.length - 1 && depth < to.length - 1 && from[depth] === to[depth]) depth += 1;
    const folder = from.slice(0, depth).join('/');
    const child = (segments: readonly string[]): string => segments.slice(0, depth + 1).join('/');
    groups.set(folder, [...(groups.get(folder) ?? []), {...edge, from: child(from), to: child(to)}]);
  }
  return groups;
}

/** The shortest way along edges from a node back to itself. */
function shortestCycle(start: string, edges: readonly Edge[]): readonly Edge[] | undefined {
  const seen = new Set<string>();
  let paths: readonly (readonly Edge[])[] = edges.filter((edge) => edge.from === start).map((edge) => [edge]);
  while (paths.length > 0) {
    const closed = paths.find((path) => path.at(-1)?.to === start);
    if (closed) return closed;
    paths = paths.flatMap((path) => {
      const end = path.at(-1)?.to ?? start;
      if (seen.has(end)) return [];
      seen.add(end);
      return edges.filter((edge) => edge.from === end).map((edge) => [...path, edge]);
    });
  }
  return undefined;
}

function cyclesAmong(edges: readonly Edge[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const start of new Set(edges.map((edge) => edge.from))) {
    const cycle = shortestCycle(start, edges);
    const [first] = cycle ?? [];
    if (!cycle || !first) continue;
    const members = cycle
      .map((edge) => edge.from)
      .toSorted()
      .join(' ');
    const steps = cycle.map((edge) => `${edge.from} → ${edge.to} (${edge.path}:${edge.line})`);
    if (!found.has(members)) {
      found.set(members, {path: first.path, line: first.line, message: `import cycle: ${steps.join(', ')}`});
    }
  }
  return [...found.values()];
}

const isFixtureFile = (path: string): boolean => path.endsWith('.fixture.ts');

/** Fixtures may use what is above their folder, as tests do. Among themselves they form no cycle either. */
function fixtureCycles(files: readonly SourceFile[]): readonly Finding[] {
  const edges = fileEdges(files.filter(({path}) => isFixtureFile(path)));
  return cyclesAmong(edges.filter(({to}) => isFixtureFile(to)));
}

/** Cycles between the files and folders of each package, and between packages. Tests are left out: nothing imports them. */
export function findImportCycles(files: readonly SourceFile[], packages: readonly Package[]): readonly Finding[] {
  const code = files.filter(({path}) => !isTestCode(path));
  const inside = [...byFolder(fileEdges(code)).values()].flatMap(cyclesAmong);
  return [...inside, ...cyclesAmong(packageEdges(code, packages)), ...fixtureCycles(files)];
}
