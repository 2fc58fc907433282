// Variables that name commands, by which other programs run what a line assigns to them.
import type {ShellAssignment} from './shell-reading.ts';

/** Their values are commands, or lines for a shell. */
const commands =
  /(?:ASKPASS|BROWSER|COMMAND|DIFF|EDITOR|EXEC|LESSCLOSE|LESSOPEN|PAGER|RSH|SHELL|SSH|VISUAL|WRAPPER)$|^(?:BASH_ENV|CC|CXX|ENV|LD|PS[0-4])$/u;
/** Their values are settings or options that name commands. */
const settings = /^(?:GIT_CONFIG|npm_config_)|^(?:MAKEFLAGS|PERL5DB|PERL5OPT|RUBYOPT|TAR_OPTIONS)$/u;

/** `code`: the line that a program may run; undefined if it may be any. */
export function codeOfAssignment({name, value}: ShellAssignment): {readonly code: string | undefined} | undefined {
  if (name === undefined || settings.test(name)) return {code: undefined};
  if (!commands.test(name) || value === '') return undefined;
  return {code: value?.replace(/^\|+-?/u, '')};
}
