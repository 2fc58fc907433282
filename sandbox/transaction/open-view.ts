// The view of a call whose writes are kept back: an overlay where that can write every file, a bounded copy elsewhere.
import {lstatSync} from 'node:fs';
import {relative} from 'node:path';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import {isWithin} from '../profile/host-paths.ts';
import {innerMounts} from './inner-mounts.ts';
import {openCopy} from './open-copy.ts';
import {openOverlay} from './open-overlay.ts';
import type {ViewInput, WorkspaceView} from './workspace-view.ts';

export async function openView(input: ViewInput): Promise<WorkspaceView | SandboxProblem> {
  const foreign = whyForeign(input);
  const inner = innerMounts(input.root);
  const mayBePrivileged = process.geteuid?.() === 0 && input.upper.way?.isPrivileged !== false;
  if (foreign !== undefined && !mayBePrivileged) return await openCopy(input, foreign, {inner});
  const overlay = await openOverlay(input, inner);
  if ('message' in overlay) return await openCopy(input, overlay, {inner});
  if (foreign === undefined || overlay.followsRenames === true) return overlay;
  overlay.close();
  return await openCopy(input, foreign, {inner});
}

/** A user namespace has one user and one group: in an overlay mounted there, nobody can write what belongs to others. */
function whyForeign({root, profile}: ViewInput): SandboxProblem | undefined {
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
