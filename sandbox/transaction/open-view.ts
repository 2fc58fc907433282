// The view of a transactional call: an overlay if it can write every file, otherwise a copy of limited size.
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import {innerMounts} from './inner-mounts.ts';
import {openCopy} from './open-copy.ts';
import {openOverlay} from './open-overlay.ts';
import {whyForeign} from './why-foreign.ts';
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
