// Looks for the programs of the operating system that the runtime uses, and installs them with apt-get where that is allowed.
import {isOnPath, runQuietly, say} from './run.mjs';

/** Debian package by program. */
const wanted = {bwrap: 'bubblewrap', git: 'git', ip: 'iproute2'};

function missingPackages() {
  return Object.entries(wanted)
    .filter(([program]) => !isOnPath(program))
    .map(([, name]) => name);
}

function installWithApt(packages) {
  const env = {...process.env, DEBIAN_FRONTEND: 'noninteractive'};
  const install = ['install', '-y', '-q', '--no-install-recommends', ...packages];
  say(`installing ${packages.join(' and ')} (apt-get) …`);
  // A fresh image has no package lists yet, so the first try may fail for want of them.
  if (runQuietly('apt-get', install, env) === 0) return;
  runQuietly('apt-get', ['update', '-q'], env);
  runQuietly('apt-get', install, env);
}

/** Returns what is still missing and the one command that brings it, as one message; undefined when nothing is missing. */
export function installSystemPrograms() {
  // Only Linux has bubblewrap; macOS brings sandbox-exec and git along.
  if (process.platform !== 'linux') return undefined;
  const isRoot = process.getuid?.() === 0;
  const before = missingPackages();
  if (before.length > 0 && isRoot && isOnPath('apt-get')) installWithApt(before);
  const missing = missingPackages();
  if (missing.length === 0) return undefined;
  const command = `${isRoot ? '' : 'sudo '}apt-get install -y ${missing.join(' ')}`;
  return `missing on this machine: ${missing.join(', ')}. Without it no tool runs in the sandbox. Install it with: ${command}`;
}
