// Commands for the workspace.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addWorkspaceCommands(program: Commander, bind: Bind): void {
  program
    .command('init')
    .argument('[folder]', 'folder of the workspace (default: this folder)')
    .description('create a workspace in a folder')
    .option('--id <id>', "id of the workspace (default: the folder's name)")
    .action(bind(async () => (await import('../commands/init.ts')).init));
}
