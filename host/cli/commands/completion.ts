// `lumenflow completion`: prints the shell script that completes commands, tools and flags.
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {shellScripts, type Shell} from '../tool-commands/shell-scripts.ts';

export const completion: Command = async (_context, [shell = '']) => {
  if (!isShell(shell)) {
    throw new CliError('USAGE', `there is no completion for \`${shell}\``, {
      help: `choose one of ${Object.keys(shellScripts).join(', ')}`,
      exitCode: exitCode.usage,
    });
  }
  const script = shellScripts[shell];
  return {data: {shell, script}, text: () => script};
};

function isShell(name: string): name is Shell {
  return Object.hasOwn(shellScripts, name);
}
