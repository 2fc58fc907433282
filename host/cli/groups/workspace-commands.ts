// Commands about the workspace as a whole.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addWorkspaceCommands(program: Commander, bind: Bind): void {
  program
    .command('init')
    .argument('[folder]', 'default: this folder')
    .description('make a folder a workspace')
    .option('--id <id>', "the workspace's id (default: the folder's name)")
    .action(bind(async () => (await import('../commands/init.ts')).init));
}
