// One walk over what is mounted, for all that must be hidden in it and all that must stay read-only.
import {isTrusted, trustedPaths} from '@lumenflow/pack-sdk/trusted-paths';
import type {DenyOverlay} from '@lumenflow/schemas';
import type {HiddenPaths} from './hidden-paths.ts';
import type {FileKind} from './host-files.ts';
import {isWithin} from './host-paths.ts';
import type {ProfileInput, WatchedPath} from './profile-input.ts';
import {walkTree, type Walk} from './walk.ts';

export interface Overlays {
  readonly hidden: readonly DenyOverlay[];
  /** To be mounted read-only again: absolute. */
  readonly trusted: readonly string[];
  readonly watched: readonly WatchedPath[];
  /** All that is hidden or trusted where the call may write: absolute. */
  readonly guarded: readonly string[];
}

export interface OverlaySearch {
  readonly input: ProfileInput;
  readonly walk: Walk;
  readonly hiddenPaths: HiddenPaths;
  /** Every mounted path, absolute. */
  readonly mounted: readonly string[];
  /** Those of them that are writable. */
  readonly writable: readonly string[];
  /** Directories to look through: mounted, and not within one another. */
  readonly tops: readonly string[];
}

/** Nothing in them is obeyed by a program outside, and they are many. */
const codeOfOthers = '/node_modules/';
/** Named by content: nothing in them can match, and they are many. */
const gitObjects = /\/\.git\/(modules\/.*\/)?objects$/;

export async function findOverlays(search: OverlaySearch): Promise<Overlays> {
  const {input, hiddenPaths, walk} = search;
  const hidden = new Map<string, DenyOverlay>();
  const trusted = new Set<string>();
  const watched: WatchedPath[] = [];
  const guarded: string[] = [];
  for (const path of hiddenPaths.literals) hide(search, hidden, path, input.files.kindOf(path));
  for (const top of search.tops) {
    await walkTree(walk, top, ({path, kind}) => {
      const isHidden = hiddenPaths.matches(path);
      const isGuarded = isHidden || isTrusted(path.slice(input.workspaceRoot.length + 1), kind);
      if (isGuarded && isObeyedIn(search, path)) guarded.push(path);
      if (isHidden) {
        hide(search, hidden, path, kind);
        return false;
      }
      if (guarded.at(-1) !== path) return !gitObjects.test(path);
      if (kind === 'symlink') watched.push({path, link: input.files.linkText(path)});
      else trusted.add(path);
      return true;
    });
  }
  for (const directory of search.writable) watched.push(...absentIn(search, directory));
  return {hidden: [...hidden.values()], trusted: [...trusted], watched, guarded};
}

function hide(search: OverlaySearch, hidden: Map<string, DenyOverlay>, path: string, kind: FileKind | undefined): void {
  if (kind === undefined) return;
  if (kind !== 'symlink') {
    if (!search.mounted.some((mount) => isWithin(path, mount))) return;
    hidden.set(path, {path, kind: kind === 'directory' ? 'directory' : 'file'});
    return;
  }
  // Nothing can be mounted on a symlink; what it leads to is hidden where the sandbox could reach it.
  const target = search.input.files.realPath(path);
  if (target !== undefined) hide(search, hidden, target, search.input.files.kindOf(target));
}

/** Whether the call could write there, and a program outside would look there. */
function isObeyedIn({writable}: OverlaySearch, path: string): boolean {
  return !path.includes(codeOfOthers) && writable.some((mount) => isWithin(path, mount));
}

function absentIn(search: OverlaySearch, directory: string): readonly WatchedPath[] {
  const {files} = search.input;
  if (files.kindOf(directory) !== 'directory' || directory.includes(codeOfOthers)) return [];
  return ['.git', ...trustedPaths]
    .map((path) => `${directory}/${path}`)
    .filter((path) => files.kindOf(path) === undefined && !search.hiddenPaths.covers(path))
    .map((path) => ({path, link: undefined}));
}
