// The view of a call whose writes are held back: an overlay where that shows the whole workspace, a copy elsewhere.
import {readFileSync, statSync} from 'node:fs';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import {isWithin} from '../profile/host-paths.ts';
import {openCopy} from './open-copy.ts';
import {openOverlay} from './open-overlay.ts';
import type {ViewInput, WorkspaceView} from './workspace-view.ts';

export async function openView(input: ViewInput): Promise<WorkspaceView | SandboxProblem> {
  const overlay = whyNoOverlay(input.root) ?? (await openOverlay(input));
  return 'message' in overlay ? await openCopy(input, overlay) : overlay;
}

function whyNoOverlay(root: string): SandboxProblem | undefined {
  const {uid, gid} = statSync(root);
  if (uid !== process.geteuid?.() || gid !== process.getegid?.()) {
    // A user namespace has one user and one group: what belongs to others cannot be copied up in it.
    return {
      message: 'the workspace belongs to another user or group',
      help: 'run the host as the owner of the workspace',
    };
  }
  const inner = mountPoints().find((point) => point !== root && isWithin(point, root));
  return inner === undefined
    ? undefined
    : {
        message: `\`${inner}\` is a mount inside the workspace`,
        help: 'mount it elsewhere, or let the tool write directly',
      };
}

/** An overlay shows the file system that it lies on, and nothing that is mounted below. */
function mountPoints(): readonly string[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) =>
      (line.split(' ')[4] ?? '').replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
    );
}
