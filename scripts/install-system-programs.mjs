// Looks for the programs of the operating system that the runtime uses, and installs them with apt-get where that is allowed.
import {isOnPath, runQuietly, say} from './run.mjs';

/** Debian packages by program. Without these no tool runs in the sandbox. */
const required = {bwrap: 'bubblewrap', git: 'git'};
/** Without these networks of tools do not, or not in full: an allowlist; every port of a range, and of the network `full`. */
const useful = {ip: 'iproute2', nft: 'nftables'};

/** Only long tests use them, and are skipped without: a real browser, and programs that run in sandboxes. */
const forLongTests = {
  chromium: 'chromium',
  go: 'golang-go',
  clang: 'clang lld wasi-libc libclang-rt-dev-wasm32',
  bundle: 'bundler',
  rubocop: 'rubocop',
  phpunit: 'phpunit php-xml php-mbstring',
  phpcs: 'php-codesniffer',
  rsync: 'rsync',
  sqlite3: 'sqlite3',
  ed: 'ed',
  jq: 'jq',
  zip: 'zip',
  unzip: 'unzip',
  patch: 'patch',
  xz: 'xz-utils',
  cpio: 'cpio',
  openssl: 'openssl',
};

function missingOf(programs) {
  return Object.entries(programs)
    .filter(([program]) => !isOnPath(program))
    .flatMap(([, names]) => names.split(' '));
}

const isRoot = process.getuid?.() === 0;

export function aptCommand(packages) {
  return `${isRoot ? '' : 'sudo '}apt-get install -y ${packages.join(' ')}`;
}

function canInstall(packages) {
  return packages.length > 0 && isRoot && isOnPath('apt-get');
}

export function installWithApt(packages) {
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
  const before = [...missingOf(required), ...missingOf(useful)];
  if (canInstall(before)) installWithApt(before);
  const unmet = missingOf(useful);
  if (unmet.length > 0) say(`the networks of tools need ${unmet.join(' and ')}: ${aptCommand(unmet)}`);
  const missing = missingOf(required);
  if (missing.length === 0) return undefined;
  return `missing on this machine: ${missing.join(', ')}. Without it no tool runs in the sandbox. Install it with: ${aptCommand(missing)}`;
}

/** As above, for the programs of long tests. Prints which are missing, since their tests are then skipped. */
export function installTestPrograms() {
  if (process.platform !== 'linux') return;
  const before = missingOf(forLongTests);
  if (canInstall(before)) installWithApt(before);
  const missing = missingOf(forLongTests);
  if (missing.length > 0) say(`some tests are skipped: they need ${aptCommand(missing)}`);
}
