// What `npm start`, `npm test` and `npm run build` do first: bring a fresh clone to the point where it can run.
// Plain JavaScript on purpose: before the packages are installed nothing here can run TypeScript.
import {pathToFileURL} from 'node:url';
import {build} from './build.mjs';
import {installPackages} from './install-packages.mjs';
import {installSystemPrograms} from './install-system-programs.mjs';
import {fail, say} from './run.mjs';

const oldestNode = [20, 19];

function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  fail(
    `Node ${process.versions.node} is too old: this project needs Node ${oldestNode.join('.')} or newer (https://nodejs.org/en/download)`,
  );
}

/**
 * Checks Node, installs packages and system programs, builds. Silent when there is nothing to do.
 * Returns what is missing on this machine and how to get it, or undefined; with `sandboxRequired` it ends the program instead.
 */
export function prepare({sandboxRequired}) {
  checkNodeVersion();
  const missing = installSystemPrograms();
  if (missing !== undefined) {
    if (sandboxRequired) fail(missing);
    say(missing);
  }
  installPackages();
  build();
  return missing;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) prepare({sandboxRequired: false});
