// The command that mounts an overlay of the workspace in its own mount namespace and then executes another command. That command
// is either the sandbox of a call or a process that keeps the overlay.
import {relative} from 'node:path';

export interface OverlayPrograms {
  readonly unshare: string;
  readonly nsenter: string;
  readonly sh: string;
  readonly mount: string;
  /** Without it an ordinary user's overlay cannot be mounted by the sandbox itself. */
  readonly setpriv: string | undefined;
}

export interface OverlayMount {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** The transaction's own folder, below the root: it has the upper layer. */
  readonly folder: string;
  /**
   * Whether it is mounted with the rights of the host, as root, and not in a user namespace. Files of every owner can then be
   * written, as in a direct run, and directories that existed can be renamed.
   */
  readonly isPrivileged: boolean;
  /** Prefix of a command that starts it in the namespaces that the call shares; empty for ours. */
  readonly enter: readonly string[];
}

/** What a command of several lines ends with, and its own parameters. */
export interface Sequel {
  readonly script: string;
  readonly parameters: readonly string[];
  /** Runs when the workspace is the working directory, before the overlay is mounted; `$own` is the transaction's folder. */
  readonly prelude?: string;
}

const userNamespace: readonly string[] = ['--user', '--map-current-user', '--keep-caps'];

/**
 * Mount options cannot contain every path, so directories are named relative to the workspace, below which they all lie. The
 * overlay is volatile: what a call syncs in it is not its result yet, and applying syncs what it puts into the workspace.
 */
const mounting = `
cd "$root"
"$mount" -n -t overlay -o "lowerdir=.,upperdir=$own/up,workdir=$own/work,volatile,$options" overlay "$root"
`;

export function overlayCommand(
  {root, folder, isPrivileged, enter}: OverlayMount,
  {unshare, sh, mount}: OverlayPrograms,
  {prelude = '', script, parameters}: Sequel,
): readonly string[] {
  const namespaces = isPrivileged ? ['--mount'] : [...userNamespace, '--mount'];
  // Outside a user namespace, it keeps its marks where no tool can set them, and can follow renamed directories.
  const options = isPrivileged ? 'redirect_dir=on' : 'userxattr';
  const whole = `set -e\nmount=$1 root=$2 own=$3 options=$4\nshift 4${prelude}${mounting}${script}`;
  const network = isPrivileged ? [] : enter;
  const started = [...network, unshare, ...namespaces, '--', sh, '-c', whole, 'sh'];
  return [...started, mount, root, relative(root, folder), options, ...parameters];
}
