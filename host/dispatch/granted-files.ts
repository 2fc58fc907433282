// Decides which files the host touches for a handler. The grant alone is not enough: paths that the sandbox hides or keeps
// read-only must not be reachable through the host.
import {join} from 'node:path';
import type {Grant} from '@lumenflow/kernel';
import {compileMatcher, type PathPattern} from '@lumenflow/kernel/adapters';
import {namesTrusted} from '@lumenflow/pack-sdk/trusted-paths';
import type {HiddenPaths} from '@lumenflow/sandbox';
import type {ObeyedPaths} from './obeyed-paths.ts';
import {createTrustedOver} from './trusted-over.ts';
import type {FileAccess, Refusal} from './scoped-fs/index.ts';

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
  return {
    allows: (path, access) =>
      grant.allows(path, access) &&
      !isHidden(path) &&
      (access === 'read' || isWritable(grant, path, trustedOver(path))),
    leadsToReadable: (path) => (path === '.' || leadsToReadable(path)) && !grant.holes.cuts(path) && !isHidden(path),
    whyNot: (path, access) =>
      grant.whyNot(path, access) ?? whyProtected(path, access, {isHidden: isHidden(path), trusted: trustedOver(path)}),
  };
}

/** For a path that the layers allow: the path itself is hidden or protected. */
function whyProtected(
  path: string,
  access: 'read' | 'write',
  {isHidden, trusted}: {readonly isHidden: boolean; readonly trusted: string | undefined},
): Refusal | undefined {
  if (isHidden) {
    return {
      message: `\`${path}\` contains credentials, which no tool can access`,
      help: 'keep secrets out of files that tools need',
    };
  }
  if (access === 'read' || trusted === undefined) return undefined;
  const message = `\`${path}\` changes what programs outside the sandbox do, so a pattern that covers it is not enough`;
  return {message, help: `name \`${trusted}\` itself in one write scope; the other layers need only cover it`};
}

/** Files that outside programs obey can be written only under a scope that names them. */
function isWritable(grant: Grant, path: string, trusted: string | undefined): boolean {
  if (trusted === undefined) return true;
  return grant.write.some(
    (pattern) => namesTrusted(pattern.segments.join('/'), trusted) && compileMatcher([pattern])(path),
  );
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
