// The view of a transactional call: an overlay if it can write every file, otherwise a copy of limited size.
import type {Outcome} from '../outcome.ts';
import {innerMounts} from './inner-mounts.ts';
import type {ViewWay} from '../backends/transaction-view.ts';
import {mountsOnly} from './mounts-only.ts';
import {openCopy} from './open-copy.ts';
import {openOverlay} from './open-overlay.ts';
import {whyForeign} from './why-foreign.ts';
import type {ViewInput, WorkspaceView} from './workspace-view.ts';

export async function openView(input: ViewInput, way: ViewWay = 'entered'): Promise<Outcome<WorkspaceView>> {
  if (way === 'copied') return await openCopy(input, mountsOnly, {inner: innerMounts(input.root)});
  const foreign = whyForeign(input);
  const inner = innerMounts(input.root);
  const mayBePrivileged = process.geteuid?.() === 0 && input.upper.way?.isPrivileged !== false;
  if (foreign !== undefined && !mayBePrivileged) return await openCopy(input, foreign, {inner});
  const overlay = await openOverlay(input, inner);
  if (!overlay.ok) return await openCopy(input, overlay.problem, {inner});
  if (foreign === undefined || overlay.value.followsRenames === true) return overlay;
  overlay.value.close();
  return await openCopy(input, foreign, {inner});
}
