// A program from npm that only some command needs: installed beside the project's own packages, once, without its scripts.
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {fail, repository, runQuietly, say} from './run.mjs';

/** Gives the path of a file of the package, `name@version`; `again` is the command to repeat when npm failed. */
export function installCached(spec, file, again) {
  const folder = join(repository, 'node_modules/.cache', spec.replaceAll('/', '-'));
  const path = join(folder, 'node_modules', spec.slice(0, spec.lastIndexOf('@')), file);
  if (existsSync(path)) return path;
  say(`installing npm package ${spec} …`);
  mkdirSync(folder, {recursive: true});
  const flags = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--loglevel=error'];
  if (runQuietly('npm', ['install', '--prefix', folder, ...flags, spec]) !== 0 || !existsSync(path)) {
    fail(`npm could not install ${spec}: the npm registry must be reachable. Then repeat: ${again}`);
  }
  return path;
}
