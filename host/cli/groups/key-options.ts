import type {Command as Commander} from 'commander';

/** The options of a command for the keys of a host or a worker. */
export function addKeyOptions(command: Commander): Commander {
  return command
    .option('--name <name>', 'name of a new key (default: the name of this machine)')
    .option('--new', 'add a key, which replaces the old one when that is removed')
    .option('--remove <id>', 'remove a key');
}
