// Scopes that name a directory and not what is in it: they grant that one path, and nothing below it.
import type {Problem} from '@lumenflow/kernel';
import type {WorkspaceSource} from '@lumenflow/kernel/adapters';
import type {Scope} from '@lumenflow/schemas';
import {statSync} from 'node:fs';
import {join} from 'node:path';

export function directoryScopes({spec, locate}: WorkspaceSource, workspaceRoot: string): readonly Problem[] {
  const lists: readonly (readonly [string, readonly Scope[]])[] = [
    ['/security/allowed_scopes', spec.security.allowed_scopes],
    ...spec.lanes.map((lane, index) => [`/lanes/${index}/allowed_scopes`, lane.allowed_scopes] as const),
  ];
  return lists.flatMap(([pointer, scopes]) =>
    scopes.flatMap((scope, index): readonly Problem[] => {
      if (scope.type !== 'path' || !isDirectory(join(workspaceRoot, scope.pattern))) return [];
      return [
        {
          code: 'SCOPE_NAMES_DIRECTORY',
          severity: 'warning',
          message: `the scope \`${scope.pattern}\` grants the directory itself and nothing in it`,
          where: locate(`${pointer}/${index}/pattern`),
          pointer: `${pointer}/${index}/pattern`,
          help: `write \`${scope.pattern}/**\``,
        },
      ];
    }),
  );
}

/** A trailing slash means everything in the directory, and so do wildcards, which no directory of a workspace has in its name. */
function isDirectory(path: string): boolean {
  return !path.endsWith('/') && statSync(path, {throwIfNoEntry: false})?.isDirectory() === true;
}
