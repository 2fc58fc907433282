// Programs that do something else, and run commands that their options, their scripts or their input name. What is not known of their words
// counts as a command.
import type {ShellWord} from './shell-reading.ts';

type MayRun = (words: readonly ShellWord[]) => boolean;

/** Whether the words after the name of a program may name a command; undefined words may be any. */
export function runsByOptions(name: string, words: readonly ShellWord[]): boolean {
  return interactive.has(name) || (programs.get(name)?.(words) ?? false);
}

/** Their own commands start programs; those come from their input, too. */
const interactive: ReadonlySet<string> = new Set(
  (
    'abduco at batch crontab dtach ed emacs emacsclient ex expect ftp gdb gnuplot lftp lldb m4 mutt mysql nvim octave psql r rscript ' +
    'rview rvim screen socat sqlite3 telnet tmux vi view vim vimdiff'
  ).split(' '),
);

const programs: ReadonlyMap<string, MayRun> = new Map([
  ...['awk', 'gawk', 'mawk', 'nawk', 'original-awk'].map(
    (name) => [name, anyWord(/system|getline|\||@|^-$|^\/dev\//u)] as const,
  ),
  ['sed', runsSedScript],
  ['gsed', runsSedScript],
  ['git', runsByGit],
  ...['tar', 'gtar', 'bsdtar'].map((name) => [name, runsByTar] as const),
  ['rsync', anyWord(/^-[A-Za-z0-9]*e|^--rs/u)],
  ...['ssh', 'scp', 'sftp'].map((name) => [name, anyWord(/command|^-[A-Za-z0-9]*[FSD]/iu)] as const),
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name) => [name, anyWord(/^(?:exec|x|dlx|explore)$|^-c|^--call/u)] as const),
  ['perl', anyWord(/^-[A-Za-z0-9]*[dImM]/u)],
  ['ruby', anyWord(/^-[A-Za-z0-9]*[Ir]/u)],
  ['less', anyWord(/^\+|^-/u)],
  ['man', anyWord(/^-[A-Za-z]*[HP]|^--(?:pager|html)/u)],
  ['zip', anyWord(/^-TT|^--?unzip/u)],
  ['sort', anyWord(/^--co/u)],
  ['split', anyWord(/^--f/u)],
  ['wget', anyWord(/^-[A-Za-z]*e|^--(?:ex|use-a)/u)],
  ['nc', anyWord(/^-[A-Za-z]*[ce]/u)],
  ['ncat', anyWord(/^-[A-Za-z]*[ce]|^--(?:sh|ex|lua)/u)],
]);

function anyWord(dangerous: RegExp): MayRun {
  return (words) => words.some((word) => word === undefined || dangerous.test(word));
}

/** One address and a command without a text, or one substitution. Anything else may be the command `e`. */
const plainScript =
  /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?)?[dpq=]$|^s([^\w\s\\])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gipI0-9]*$/u;

function runsSedScript(words: readonly ShellWord[]): boolean {
  const scripts: ShellWord[] = [];
  let hasOption = false;
  for (const [index, word] of words.entries()) {
    if (word === undefined) return true;
    if (/^(?:-[A-Za-z]*e|--expression)$/u.test(word)) {
      hasOption = true;
      scripts.push(words[index + 1]);
    } else if (/^-[A-Za-z]*[ef]|^--(?:e|f)/u.test(word)) return true;
  }
  if (!hasOption) scripts.push(words.find((word) => word?.startsWith('-') !== true));
  return scripts.some((script) => script === undefined || !plainScript.test(script));
}

/** Settings that name no program. */
const plainSetting = /^(?:user|color|advice|safe|init)\.|^(?:commit|tag)\.gpgsign=|^core\.(?:quotepath|autocrlf)=/iu;
const gitOptions =
  /^--(?:config-env|exec|upload-pack|receive-pack|ext-diff|extcmd|open-files|textconv|tool|smtp-server|sendmail-cmd|template)|^ext::/u;
const gitCommands: ReadonlySet<string> = new Set(
  'bisect config difftool filter-branch instaweb mergetool send-email submodule'.split(' '),
);

function runsByGit(words: readonly ShellWord[]): boolean {
  return words.some((word, index) => {
    // A pattern of a command matches it already.
    if (word === undefined) return false;
    if (word === '-c') return !plainSetting.test(words[index + 1] ?? '') && !isOfSubcommand(words, index);
    if (word === '-x') return words.includes('rebase') || words.includes('difftool');
    return gitOptions.test(word) || (gitCommands.has(word) && isSubcommand(words, index));
  });
}

const gitValueOptions: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace']);

/** The first word that is neither an option nor the value of one. */
function isSubcommand(words: readonly ShellWord[], index: number): boolean {
  return words
    .slice(0, index)
    .every((word, at, before) => word?.startsWith('-') === true || gitValueOptions.has(before[at - 1] ?? ''));
}

/** `git commit -c COMMIT`, `git switch -c BRANCH`. */
function isOfSubcommand(words: readonly ShellWord[], index: number): boolean {
  return words
    .slice(0, index)
    .some(
      (_, at) =>
        isSubcommand(words, at) && words[at]?.startsWith('-') === false && !gitValueOptions.has(words[at - 1] ?? ''),
    );
}

/** Long options may be shortened, and the first word may be a cluster of short ones without `-`. */
function runsByTar(words: readonly ShellWord[]): boolean {
  const [first] = words;
  const isCluster = first !== undefined && /^[A-Za-z]+$/u.test(first) && /[IF]/u.test(first);
  return isCluster || anyWord(/^-[A-Za-z]*[IF]|^--(?:to-|ch|us|rs|rm|in|inf|new)/u)(words);
}
