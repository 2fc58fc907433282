// Programs that do something else, and run commands that their options, their scripts or their input name. What is not known of their words
// counts as a command.
import {runsByGit} from './runs-by-git.ts';
import type {ShellWord} from './shell-reading.ts';

type MayRun = (words: readonly ShellWord[]) => boolean;

/** Whether the words after the name of a program may name a command; undefined words may be any. */
export function runsByOptions(name: string, words: readonly ShellWord[]): boolean {
  return interactive.has(name) || (programs.get(name)?.(words) ?? false);
}

/** Their own commands start programs; those come from their input, too. */
const interactive: ReadonlySet<string> = new Set(
  (
    'abduco agetty at batch byobu crontab dc dtach duckdb ed elinks emacs emacsclient ex expect ftp gdb gfind gnuplot gvim gview gxargs hx ' +
    'irssi iex jed joe kak lf lftp links lldb login lynx m4 mail mailx mc mcedit micro mongo mongosh mutt mysql nano ne neovim newgrp ' +
    'newsboat nnn nvim octave pico psql r ranger rscript rview rvim screen sem sftp socat sqlite3 sudoedit telnet tmux vi vifm view vigr ' +
    'vim vimdiff vipe vipw vis visudo w3m weechat zellij'
  ).split(' '),
);

/** Subcommands and settings that run a program that words name, or that is downloaded. */
const runsByNpm =
  /^(?:exec|x|dlx|explore|create|innit|edit|config|set)$|^-c|^--(?:call|script-shell|node-options|shell|viewer|editor|git)(?:=|$)/u;

const programs: ReadonlyMap<string, MayRun> = new Map([
  ...['awk', 'gawk', 'mawk', 'nawk', 'original-awk'].map(
    (name) => [name, anyWord(/system|getline|\||@|^-$|^-D|^--debug|^\/dev\//u)] as const,
  ),
  ['sed', runsSedScript],
  ['gsed', runsSedScript],
  ['git', runsByGit],
  ...['tar', 'gtar', 'bsdtar'].map((name) => [name, runsByTar] as const),
  ['rsync', anyWord(/^-[A-Za-z0-9]*e|^--rs/u)],
  ...['ssh', 'slogin', 'scp'].map(
    (name) => [name, anyWord(/[Cc][Oo][Mm]{2}[Aa][Nn][Dd]|^-[A-Za-z0-9]*[FSDI]/u)] as const,
  ),
  ['ssh-keygen', anyWord(/^-[A-Za-z0-9]*[Dw]/u)],
  ['ssh-add', anyWord(/^-[A-Za-z0-9]*[se]/u)],
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name) => [name, anyWord(runsByNpm)] as const),
  ...['make', 'gmake', 'bmake'].map(
    (name) => [name, anyWord(/^-[A-Za-z]*f(?:-|\/dev)|^\.?SHELL|^-$|^\/dev\//u)] as const,
  ),
  ...['rg', 'ag', 'ack'].map((name) => [name, anyWord(/^--(?:pre|hostname-bin|pager)/u)] as const),
  ['perl', anyWord(/^-[A-Za-z0-9]*[dImM]/u)],
  ['ruby', anyWord(/^-[A-Za-z0-9]*[Ir]/u)],
  ['less', anyWord(/^\+|^-/u)],
  ['man', anyWord(/^-[A-Za-z]*[HP]|^--(?:pager|html)/u)],
  ['zip', anyWord(/^-[A-Za-z]*TT|^--?unzip/u)],
  ['sort', anyWord(/^--co/u)],
  ['split', anyWord(/^--f/u)],
  ['wget', anyWord(/^-[A-Za-z]*e|^--(?:ex|use-a)/u)],
  ...['nc', 'nc.traditional', 'netcat'].map((name) => [name, anyWord(/^-[A-Za-z]*[ce]/u)] as const),
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

/** Long options may be shortened, and the first word may be a cluster of short ones without `-`. */
function runsByTar(words: readonly ShellWord[]): boolean {
  const [first] = words;
  const isCluster = first !== undefined && /^[A-Za-z]+$/u.test(first) && /[IFT]/u.test(first);
  return isCluster || anyWord(/^-[A-Za-z]*[IFT]|^--(?:to-|ch|us|rs|rm|in|inf|new|files)/u)(words);
}
