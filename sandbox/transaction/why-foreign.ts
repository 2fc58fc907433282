import {lstatSync} from 'node:fs';
import {relative} from 'node:path';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {ViewInput} from './workspace-view.ts';

/** A user namespace has one user and one group: in an overlay mounted there, files of other owners cannot be written. */
export function whyForeign({root, profile}: Pick<ViewInput, 'root' | 'profile'>): SandboxProblem | undefined {
  const writable = profile.writable_bind_mounts.map(({source}) => source).filter((source) => isWithin(source, root));
  for (const path of [root, ...writable]) {
    const stat = lstatSync(path, {throwIfNoEntry: false});
    if (stat === undefined || (stat.uid === process.geteuid?.() && stat.gid === process.getegid?.())) continue;
    return {
      message: `\`${relative(root, path) || 'the workspace'}\` belongs to user ${stat.uid} and group ${stat.gid}`,
      help: `start the host as user ${stat.uid} with the primary group ${stat.gid}, for example with \`newgrp\``,
    };
  }
  return undefined;
}
