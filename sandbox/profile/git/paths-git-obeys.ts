// What the effective configuration of a repository makes git read or run: hooks elsewhere, included files, programs of filters,
// drivers and helpers. Conditions of `includeIf` are not evaluated: their result may change.
import {dirname, isAbsolute, join} from 'node:path';
import type {HostFiles} from '../host-files.ts';
import {parseGitConfig, type GitVariable} from './parse-git-config.ts';

export interface Repository {
  /** Where its files are checked out; of a bare one, itself. Absolute. */
  readonly workTree: string;
  /** Its `.git`, or itself. Absolute. */
  readonly directory: string;
}

type Look = Pick<HostFiles, 'textOf' | 'kindOf'>;

/** Paths that git reads as configuration: git-config(1). */
const fileVariable = /^(include\.path|includeif\..*\.path|core\.hookspath|core\.attributesfile|init\.templatedir)$/;
/** Commands that git runs: git-config(1), gitattributes(5), gitcredentials(7). */
const commandVariable =
  /^(core\.(fsmonitor|sshcommand|editor|pager|askpass|gitproxy)|sequence\.editor|pager\..*|diff\.external|(diff|merge|filter|difftool|mergetool|browser|man|trailer)\..*\.(command|textconv|driver|clean|smudge|process|cmd|path)|credential\.(.*\.)?helper|gpg\.(.*\.)?program|alias\..*|interactive\.difffilter|remote\..*\.(uploadpack|receivepack|vcs)|uploadpack\.packobjectshook|submodule\..*\.update|sendemail\..*cmd)$/;
const includesMax = 64;
const wordLengthMax = 1024;

/** Absolute paths, whether they exist or not. `home`: the home directory whose configuration counts too. */
export function pathsGitObeys(repository: Repository, home: string, files: Look): readonly string[] {
  const {workTree, directory} = repository;
  const common = commonDirectory(directory, files);
  const found = new Set<string>();
  const waiting = [
    join(common, 'config'),
    join(directory, 'config.worktree'),
    join(home, '.gitconfig'),
    join(home, '.config/git/config'),
    '/etc/gitconfig',
  ];
  for (let read = 0; waiting.length > 0 && read < includesMax; read += 1) {
    const file = waiting.shift() ?? '';
    const text = files.textOf(file);
    if (text === undefined) continue;
    for (const variable of parseGitConfig(text)) {
      for (const path of pathsOf(variable, {workTree, home, file}, files)) {
        found.add(path);
        if (variable.name.startsWith('include')) waiting.push(path);
      }
    }
  }
  return [...found];
}

interface GitLocation {
  readonly workTree: string;
  readonly home: string;
  readonly file: string;
}

function pathsOf({name, value}: GitVariable, {workTree, home, file}: GitLocation, files: Look): readonly string[] {
  const absolute = (text: string, base: string): string =>
    text.startsWith('~/') ? join(home, text.slice(2)) : isAbsolute(text) ? join(text) : join(base, text);
  // An included file is relative to the file that includes it; everything else is relative to the work tree.
  if (fileVariable.test(name)) return [absolute(value, name.startsWith('include') ? dirname(file) : workTree)];
  if (!commandVariable.test(name)) return [];
  const words = value.replace(/^!/, '').split(/[\s;|&()<>"'`]+/);
  return words
    .filter((word) => word !== '' && word.length < wordLengthMax && !/^-|\0/.test(word))
    .map((word) => absolute(word, workTree))
    .filter((path) => files.kindOf(path) === 'file');
}

/** For an added work tree, the repository itself: gitrepository-layout(5). */
function commonDirectory(directory: string, files: Look): string {
  const text = files.textOf(join(directory, 'commondir'))?.trim();
  return text === undefined || text === '' ? directory : isAbsolute(text) ? text : join(directory, text);
}

/** The repository of a work tree, found by its `.git`, which is a directory or a file. */
export function repositoryAt(workTree: string, files: Look): Repository | undefined {
  const git = join(workTree, '.git');
  const kind = files.kindOf(git);
  if (kind === 'directory' || kind === 'symlink') return {workTree, directory: git};
  const named = kind === 'file' ? /^gitdir: (.*)$/m.exec(files.textOf(git) ?? '')?.[1]?.trim() : undefined;
  if (named === undefined) return undefined;
  return {workTree, directory: isAbsolute(named) ? named : join(workTree, named)};
}
