// Reads what a person names as the source of a pack: an id of a first-party pack, a package, a folder, a tarball or a repository.
import type {PackPin} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {join, relative, resolve, sep} from 'node:path';
import {isPackageName} from '../../packs/resolve-pack.ts';
import {tarballPackage} from '../../packs/tarball-package.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';

/** A pin without the fields that only the pack's manifest contains. */
export type PackSourceWords = Pick<PackPin, 'source'> &
  Partial<Pick<PackPin, 'path' | 'package' | 'url' | 'ref'>> & {
    /** Of a package: a version, a range or a tag of npm. */
    readonly wanted?: string;
  };

export interface SourceFolders {
  readonly cwd: string;
  readonly workspaceRoot: string;
}

/** Throws CliError USAGE. */
export function sourceOf(text: string, {cwd, workspaceRoot}: SourceFolders): PackSourceWords {
  const file = resolve(cwd, text);
  const path = relative(workspaceRoot, file).split(sep).join('/');
  if (existsSync(join(file, 'manifest.yaml'))) return {source: 'local', path: path === '' ? '.' : path};
  const [url = '', ref] = text.split('#', 2);
  if (isRepository(url, cwd)) {
    if (ref !== undefined && ref !== '') return {source: 'git', url: addressIn(url, {cwd, workspaceRoot}), ref};
    throw usage(`\`${text}\` does not name a version`, `add a tag, a branch or a commit: \`${url}#v1.0.0\``);
  }
  if (isTarball(text) && !text.includes('@')) return {source: 'npm', package: packageIn(text, file), path};
  const [, name = '', wanted = 'latest'] = /^((?:@[^/@]+\/)?[^/@]+)(?:@(.+))?$/u.exec(text) ?? [];
  const whole = ['software-delivery', 'agent-runtime'].includes(name) ? `@lumenflow/pack-${name}` : name;
  if (!isPackageName(whole))
    throw usage(
      `\`${text}\` is not a folder, a package or a repository`,
      'name an existing folder, a package, or the URL of a git repository',
    );
  if (!isTarball(wanted)) return {source: 'npm', package: whole, wanted};
  return {source: 'npm', package: whole, path: relative(workspaceRoot, resolve(cwd, wanted)).split(sep).join('/')};
}

function packageIn(text: string, file: string): string {
  if (!existsSync(file)) throw usage(`\`${text}\` does not exist`, 'create it with `npm pack`');
  const name = tarballPackage(file);
  if (name === undefined) throw usage(`\`${text}\` does not contain a package`, 'name a file that `npm pack` created');
  return name;
}

export function isTarball(text: string): boolean {
  return /\.t(?:ar\.)?gz$/u.test(text);
}

function isRepository(url: string, cwd: string): boolean {
  if (/^(?:https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:|\.git$/u.test(url)) return true;
  return existsSync(join(resolve(cwd, url), '.git'));
}

/** A path is stored relative to the workspace. */
function addressIn(url: string, {cwd, workspaceRoot}: SourceFolders): string {
  if (!existsSync(resolve(cwd, url))) return url;
  return relative(workspaceRoot, resolve(cwd, url)).split(sep).join('/');
}

function usage(message: string, help: string): CliError {
  return new CliError('USAGE', message, {help, exitCode: exitCode.usage});
}
