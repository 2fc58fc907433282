// Whether git runs a program that its options, its settings or its subcommand name.
import type {ShellWord} from './shell-reading.ts';

/** Options before the subcommand that have a value. */
const valueOptions: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--attr-source',
]);
/** Settings that name no program. */
const plainSetting =
  /^(?:user|color|advice|safe|init)\.|^(?:commit|tag)\.gpgsign=|^core\.(?:quotepath|autocrlf)=|^(?:core\.)?pager=(?:cat)?$/iu;
/** Any other subcommand may be an alias, or a program of its name. */
const plainSubcommands: ReadonlySet<string> = new Set(
  (
    'add am annotate apply blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index ' +
    'cherry cherry-pick clean column commit commit-graph commit-tree count-objects describe diff diff-files diff-index diff-tree ' +
    'fast-export fmt-merge-msg for-each-ref format-patch fsck gc hash-object help index-pack init init-db log ls-files ls-tree mailinfo ' +
    'mailsplit merge merge-base merge-file merge-tree mktag mktree multi-pack-index mv name-rev notes pack-objects pack-refs patch-id ' +
    'prune range-diff read-tree reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm shortlog ' +
    'show show-branch show-index show-ref sparse-checkout stash status stripspace subtree switch symbolic-ref tag unpack-objects ' +
    'update-index update-ref var verify-commit verify-pack verify-tag version whatchanged worktree write-tree'
  ).split(' '),
);
/** Subcommands with options that name a program. All their words must be known. */
const openSubcommands: ReadonlyMap<string, RegExp> = new Map([
  ['archive', /^--ex/u],
  ['clone', /^-[a-z]*[uc]|^--(?:u|conf|te)/u],
  ['fetch', /^--upl/u],
  ['grep', /^-[A-Za-z]*O|^--op/u],
  ['ls-remote', /^--(?:up|ex)/u],
  ['pull', /^-[a-z]*s|^--(?:upl|str)/u],
  ['push', /^--(?:rece|ex)/u],
  ['rebase', /^-[a-z]*[xs]|^--(?:ex|str)/u],
]);
/** Options may be shortened. */
const options = /^--(?:ext|extc|textc|too|sm|send|tem)|^[a-z][a-z+-]*::/u;
const strategies: ReadonlySet<string> = new Set(['octopus', 'ort', 'ours', 'recursive', 'resolve', 'subtree']);

export function runsByGit(words: readonly ShellWord[]): boolean {
  const at = subcommandAt(words);
  const before = words.slice(0, at);
  const [subcommand, ...others] = words.slice(at);
  if (before.some((word, index) => runsBefore(word, words[index + 1]))) return true;
  // Without one, git prints its help or its version.
  if (subcommand === undefined) return at < words.length;
  const dangerous = openSubcommands.get(subcommand);
  if (dangerous === undefined && !plainSubcommands.has(subcommand)) return true;
  const runs = (word: ShellWord): boolean =>
    word === undefined ? dangerous !== undefined : options.test(word) || dangerous?.test(word) === true;
  return others.some(runs) || (subcommand === 'merge' && mergesBy(others));
}

function subcommandAt(words: readonly ShellWord[]): number {
  let at = 0;
  while (at < words.length && words[at]?.startsWith('-') === true) at += valueOptions.has(words[at] ?? '') ? 2 : 1;
  return at;
}

function runsBefore(word: ShellWord, next: ShellWord): boolean {
  if (word === undefined) return true;
  return word === '-c' ? !plainSetting.test(next ?? '') : /^--(?:config-env|exec-path=)/u.test(word);
}

/** `git merge -s NAME` runs `git-merge-NAME`. */
function mergesBy(words: readonly ShellWord[]): boolean {
  return words.some((word, index) => {
    const [, value] = /^(?:-[a-z]*?s|--str(?:a|at|ate|ateg|ategy)?(?:=|$))(.*)$/u.exec(word ?? '') ?? [];
    return value !== undefined && !strategies.has(value === '' ? (words[index + 1] ?? '') : value);
  });
}
