// Commands for the workspace.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const checkHelp = `
Exit codes:
  0  nothing prevents its use
  1  an error, or with --strict a warning
  2  there is no workspace`;

export function addWorkspaceCommands(program: Commander, bind: Bind): void {
  program
    .command('init')
    .argument('[folder]', 'folder of the workspace (default: this folder)')
    .description('create a workspace in a folder')
    .option('--id <id>', "id of the workspace (default: the folder's name)")
    .action(bind(async () => (await import('../commands/init.ts')).init));
  program
    .command('check')
    .description('check that the workspace loads and can run its calls on this machine')
    .option('--strict', 'also fail for warnings')
    .option('--no-machine', 'check only the files: not the sandbox, variables and keys of this machine')
    .option('--sarif', 'print SARIF 2.1.0, for code scanning')
    .addHelpText('after', checkHelp)
    .action(bind(async () => (await import('../commands/check.ts')).check));
}
