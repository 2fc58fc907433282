// The rules that deny regardless of grants. As with mounts, the deeper path decides: if a profile opens a path inside a sealed
// one, the seal leaves that path out.
import {directoriesBetween, isWithin} from '../profile/host-paths.ts';
import {foldedPath, foldedPattern, foldedTree} from './folded-regex.ts';
import type {PathFacts} from './path-facts.ts';
import {all, any, literal, not, regex, subpath, type Rule} from './sbpl-text.ts';

/** A closed path with everything below it, or everything that a pattern matches. */
interface Seal {
  readonly filters: readonly string[];
  /** Whether it closes this path, and not only because it is this path. */
  surrounds(path: string): boolean;
  /** Its directories above a path that it surrounds, itself included. */
  waysTo(path: string): readonly string[];
}

const hidingOperations: readonly string[] = ['file*', 'process-exec*'];
/** All of them but looking at what a directory is. */
const lookingPastOperations: readonly string[] = [
  'file-read-data',
  'file-read-xattr',
  'file-write*',
  'file-map-executable',
  'process-exec*',
];

export function sealRules(facts: PathFacts): readonly Rule[] {
  const {readable, writable, hidden, hiddenPatterns, watched, workspaceRoot} = facts;
  const kept = readable.filter((path) => writable.some((mount) => isWithin(path, mount)));
  const open = [...readable, ...writable];
  const pins = new Set([...writable, ...[...kept, ...hidden, ...watched].flatMap((path) => above(path, writable))]);
  const hiding = [
    ...hidden.map((path) => pathSeal(path, open)),
    ...hiddenPatterns.map((pattern) => patternSeal(workspaceRoot, pattern)),
  ];
  const keeping = [...kept, ...watched].toSorted().map((path) => pathSeal(path, open));
  return [
    ...denials(['file-write*'], keeping, writable),
    // What cannot be renamed keeps its rules: `mv .git x` would leave the hooks in `x` open.
    ...pinRules([...pins].toSorted(), open),
    ...hidingRules(hiding, open),
  ];
}

/** One rule for all seals that surround nothing of what is open, and one for each of the others. */
function denials(operations: readonly string[], seals: readonly Seal[], open: readonly string[]): readonly Rule[] {
  const plain: string[] = [];
  const rules: Rule[] = [];
  for (const seal of seals) {
    const left = open.filter((path) => seal.surrounds(path));
    if (left.length === 0) plain.push(...seal.filters);
    else rules.push(leavingOut(operations, seal, left.map(subpath)));
  }
  return plain.length === 0 ? rules : [{action: 'deny', operations, filters: plain}, ...rules];
}

function hidingRules(seals: readonly Seal[], open: readonly string[]): readonly Rule[] {
  const whole = seals.filter((seal) => !open.some((path) => seal.surrounds(path)));
  const holed = seals.filter((seal) => !whole.includes(seal));
  return [
    ...denials(hidingOperations, whole, []),
    ...holed.flatMap((seal) => {
      const left = open.filter((path) => seal.surrounds(path));
      // A program checks each directory on the way to an open path, and must not read any.
      const ways = [...new Set(left.flatMap((path) => seal.waysTo(path)))].map(literal);
      return [
        leavingOut(hidingOperations, seal, [...left.map(subpath), ...ways]),
        {action: 'deny' as const, operations: lookingPastOperations, filters: ways},
      ];
    }),
  ];
}

function leavingOut(operations: readonly string[], seal: Seal, left: readonly string[]): Rule {
  return {action: 'deny', operations, filters: [all([any(seal.filters), ...left.map(not)])]};
}

function pathSeal(path: string, open: readonly string[]): Seal {
  const base = outermost(path, open);
  return {
    // Once as it is written, which matches on every volume, and once in any case and form.
    filters: [subpath(path), ...(base === undefined ? [] : [regex(foldedTree(base, path))])],
    surrounds: (other) => other !== path && isWithin(other, path),
    waysTo: (other) => [path, ...directoriesBetween(path, other)],
  };
}

function pinRules(pins: readonly string[], open: readonly string[]): readonly Rule[] {
  const filters = pins.flatMap((path) => {
    const base = outermost(path, open);
    return base === undefined ? [literal(path)] : [literal(path), regex(foldedPath(base, path))];
  });
  return filters.length === 0 ? [] : [{action: 'deny', operations: ['file-write-unlink'], filters}];
}

/** The outermost opened path that contains a path. */
function outermost(path: string, open: readonly string[]): string | undefined {
  return open
    .filter((mount) => mount !== path && isWithin(path, mount))
    .toSorted((a, b) => a.length - b.length)
    .at(0);
}

function patternSeal(root: string, pattern: string): Seal {
  const text = foldedPattern(root, pattern);
  const tree = new RegExp(text);
  const waysTo = (path: string): readonly string[] => directoriesBetween(root, path).filter((way) => tree.test(way));
  return {filters: [regex(text)], surrounds: (path) => waysTo(path).length > 0, waysTo};
}

/** The directories above a path that are inside a writable one. */
function above(path: string, writable: readonly string[]): readonly string[] {
  return writable.filter((mount) => isWithin(path, mount)).flatMap((mount) => directoriesBetween(mount, path));
}
