// The packages as strangers get them: packed, and installed from the tarballs into an empty project outside the repository.
import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';

const repository = join(import.meta.dirname, '../..');

function isPublished(folder: string): boolean {
  const file = join(repository, folder, 'package.json');
  return existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as {private?: boolean}).private !== true;
}

/** The folders of the packages that are not private. */
export const published: readonly string[] = ['.', 'packs', 'integrations']
  .flatMap((parent) => readdirSync(join(repository, parent)).map((name) => join(parent, name)))
  .filter(isPublished);

/** Packs every package that is published into `folder`; gives the tarballs' paths. */
export async function packAll(folder: string): Promise<readonly string[]> {
  mkdirSync(folder, {recursive: true});
  const workspaces = published.flatMap((name) => ['--workspace', name]);
  await promisify(execFile)('npm', ['pack', ...workspaces, '--pack-destination', folder], {cwd: repository});
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Makes `folder` a project that depends on the tarballs and on `more`, and installs it from the registry and npm's cache. */
export async function installAll(folder: string, tarballs: readonly string[], more: readonly string[]): Promise<void> {
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'package.json'), JSON.stringify({name: 'a-project', private: true, type: 'module'}));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', '--prefer-offline', ...quiet, ...tarballs, ...more], {cwd: folder});
}
