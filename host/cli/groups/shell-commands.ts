// Commands for the shell itself.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';
import type {CommandTree} from '../tool-commands/complete-words.ts';

export function addShellCommands(program: Commander, bind: Bind): void {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a script that completes commands, tools and flags')
    .action(bind(async () => (await import('../commands/completion.ts')).completion));
  program
    .command('complete', {hidden: true})
    .argument('[words...]', 'the words before the cursor')
    .action(bind(async () => (await import('../commands/complete.ts')).complete(treeOf(program))));
}

function treeOf(command: Commander): CommandTree {
  return {
    name: command.name(),
    description: command.description(),
    commands: command.commands.filter((child) => child.name() !== 'complete').map(treeOf),
    argument: command.registeredArguments[0]?.name(),
    options: command.options.map((option) => ({
      flag: option.long ?? option.short ?? '',
      description: option.description,
      ...(option.required && {value: {name: option.attributeName(), choices: option.argChoices ?? []}}),
    })),
  };
}
