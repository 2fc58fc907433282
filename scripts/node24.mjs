// Node 24, which npm's `node` package brings: for what is to run on it beside the machine's own Node.
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {fail, repository, runQuietly, say} from './run.mjs';

const folder = join(repository, 'node_modules/.cache/node24');
const node = join(folder, 'node_modules/node/bin/node');

/** Gives the program, installed when it is not there yet; `again` is the command to repeat when that failed. */
export function installNode24(again) {
  if (existsSync(node)) return node;
  say('installing Node 24 (npm package node@24) …');
  mkdirSync(folder, {recursive: true});
  // The package fetches its binary in an install script.
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', '--loglevel=error', 'node@24'];
  if (runQuietly('npm', args) !== 0 || !existsSync(node)) {
    fail(`npm could not install Node 24: the npm registry must be reachable. Then repeat: ${again}`);
  }
  return node;
}
