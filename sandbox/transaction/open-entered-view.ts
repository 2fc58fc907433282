// The view of a cold call as an overlay that the call's own process mounts. The sandbox does not wait for a separate process to
// mount it, and we inspect the view while the sandbox starts.
import {closeSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {announcedAt, type ViewEntry} from '../backends/transaction-view.ts';
import {ok} from '../outcome.ts';
import {SandboxError} from '../sandbox-error.ts';
import type {MountedOverlay} from './start-overlay.ts';
import {innerMounts} from './inner-mounts.ts';
import {openPath} from '../files/open-path.ts';
import {overlayPrograms, setUpFailed, viewOf} from './open-overlay.ts';
import {overlayCommand, type OverlayPrograms} from './overlay-command.ts';
import {makeLayers, openWork} from './overlay-layers.ts';
import {whyForeign} from './why-foreign.ts';
import type {ViewInput, WorkspaceView} from './workspace-view.ts';

/**
 * The announcement goes to a descriptor that nothing inside may find open. Nothing inside may see an environment, either. The
 * process waits until we have opened the view through its root. While a command replaces its mount namespace, its root is still in
 * the old one: Linux has unmounted the overlay there, and the root shows the workspace itself.
 */
const script = `
echo mounted >&${announcedAt}
read -r _ <&${announcedAt}
exec ${announcedAt}>&-
cd /
unset PWD OLDPWD
exec "$@"
`;

/**
 * Undefined if it must be mounted beforehand: the first view of a workspace finds out what the machine supports. `begin` is
 * called once it is mounted.
 */
export function openEnteredView(
  input: ViewInput,
  begin: (view: WorkspaceView) => Promise<void>,
): ViewEntry | undefined {
  const {root, folder, profile, enter, upper} = input;
  const {way} = upper;
  if (way === undefined || way.inMemory || innerMounts(root).length > 0) return undefined;
  const {isPrivileged} = way;
  const programs = overlayPrograms();
  if (!programs.ok || (!isPrivileged && whyForeign(input) !== undefined)) return undefined;
  const parameters = becomes(isPrivileged, enter, programs.value);
  if (parameters === undefined) return undefined;
  makeLayers(folder, statSync(root).mode & 0o777);
  return {
    enter: overlayCommand({root, folder, isPrivileged, enter}, programs.value, {script, parameters}),
    profile,
    degraded: [],
    async entered(pid, proceed) {
      try {
        if (!isPrivileged) openWork(folder);
        const overlay = overlayOf(pid, input);
        proceed();
        await begin(viewOf(overlay, input, []));
        return ok(undefined);
      } catch (error) {
        return setUpFailed(String(error));
      }
    },
  };
}

function overlayOf(pid: number, {root, folder}: ViewInput): MountedOverlay {
  const door = openPath(`/proc/${pid}/root${root}`);
  return {
    enter: [],
    door: `/proc/${process.pid}/fd/${door}`,
    upper: join(folder, 'up'),
    // No process is left in its namespace that could do it.
    seal: async () =>
      await Promise.reject(new SandboxError('SYSTEM_REFUSED', 'a process of the call may still be writing')),
    keepAlive: () => undefined,
    close: () => closeSync(door),
  };
}

/** Prefix of the command that the mounting one becomes: in the call's network, and without rights in the user namespace. */
function becomes(
  isPrivileged: boolean,
  enter: readonly string[],
  {setpriv}: OverlayPrograms,
): readonly string[] | undefined {
  if (isPrivileged) return enter;
  return setpriv === undefined ? undefined : [setpriv, '--inh-caps=-all', '--ambient-caps=-all', '--'];
}
