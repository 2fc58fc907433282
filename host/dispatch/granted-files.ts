// Decides which files the host touches for a handler. The grant alone is not enough: paths that the sandbox hides or keeps
// read-only must not be reachable through the host.
import {join} from 'node:path';
import type {Grant} from '@lumenflow/kernel';
import {compileMatcher, type PathPattern} from '@lumenflow/kernel/adapters';
import type {HiddenPaths} from '@lumenflow/sandbox';
import type {ObeyedPaths} from './obeyed-paths.ts';
import {createTrustedOver} from './trusted-over.ts';
import type {FileAccess, Refusal} from './scoped-fs/index.ts';
import {writeRefusal} from './write-refusal.ts';

export interface GrantedFilesOptions {
  /** Absolute, without symlinks. */
  readonly workspaceRoot: string;
  readonly hidden: HiddenPaths;
  /** Paths that are trusted in addition to the files that programs obey everywhere. */
  readonly obeyed: ObeyedPaths;
}

export function grantedFiles(grant: Grant, {workspaceRoot, hidden, obeyed}: GrantedFilesOptions): FileAccess {
  const leadsToReadable = compileMatcher(grant.read.flatMap(leadingPatterns));
  const isHidden = (path: string): boolean => hidden.covers(join(workspaceRoot, path));
  const builtIn = createTrustedOver();
  const trustedOver = (path: string): string | undefined => builtIn(path) ?? obeyed.around(path);
  const isNamed = (path: string): boolean => {
    const trusted = trustedOver(path);
    return trusted === undefined || writeRefusal(grant, path, trusted) === undefined;
  };
  return {
    allows: (path, access) => grant.allows(path, access) && !isHidden(path) && (access === 'read' || isNamed(path)),
    leadsToReadable: (path) => (path === '.' || leadsToReadable(path)) && !grant.holes.cuts(path) && !isHidden(path),
    whyNot: (path, access) => {
      if (grant.allows(path, access) && isHidden(path)) return credentials(path);
      return access === 'read' ? grant.whyNot(path, access) : writeRefusal(grant, path, trustedOver(path));
    },
  };
}

function credentials(path: string): Refusal {
  const message = `\`${path}\` contains credentials, which no tool can access`;
  return {message, help: 'keep secrets out of files that tools need'};
}

/** Patterns of the directories above a pattern's matches: `a/*.md` has `a`; `a/**` has `a` and everything below. */
function leadingPatterns({segments}: PathPattern): readonly PathPattern[] {
  const many = segments.indexOf('**');
  const last = many === -1 ? segments.length - 1 : many + 1;
  return Array.from({length: last}, (_, index) => {
    const leading = segments.slice(0, index + 1);
    return {text: leading.join('/'), segments: leading};
  });
}
