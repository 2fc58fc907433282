// Brings node_modules to the state package-lock.json names. Does nothing when it is there already.
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fail, repository, runQuietly, say} from './run.mjs';

const lock = join(repository, 'package-lock.json');
/** npm writes this file at the end of every install. */
const installedLock = join(repository, 'node_modules/.package-lock.json');
const stamp = join(repository, 'node_modules/.installed-lock-sha256');

function digestOfLock() {
  return createHash('sha256').update(readFileSync(lock)).digest('hex');
}

function isInstalled() {
  if (!existsSync(installedLock)) return false;
  if (!existsSync(lock)) return true;
  const digest = digestOfLock();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return true;
  // Somebody ran `npm install` by hand after the lock file changed.
  return statSync(installedLock).mtimeMs >= statSync(lock).mtimeMs;
}

export function installPackages() {
  if (!isInstalled()) {
    const command = existsSync(lock) ? 'ci' : 'install';
    say(`installing packages (npm ${command}) …`);
    if (runQuietly('npm', [command, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']) !== 0) {
      fail(
        `npm could not install the packages: see its message above.\n` +
          `The npm registry must be reachable (check with \`npm ping\`). Then repeat: npm ${command}`,
      );
    }
  }
  if (existsSync(lock)) writeFileSync(stamp, digestOfLock());
}
