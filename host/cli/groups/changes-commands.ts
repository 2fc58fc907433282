// Commands about what calls changed.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addChangesCommands(program: Commander, bind: Bind): void {
  const changes = program.command('changes').description('what calls changed, and what waits to be applied');
  changes
    .command('list')
    .description('changes that wait for a person or were kept')
    .option('--all', 'also those that were applied or discarded later')
    .action(bind(async () => (await import('../commands/changes-list.ts')).changesList));
  changes
    .command('show')
    .argument('<receipt>')
    .description('what a call changed, as a diff')
    .action(bind(async () => (await import('../commands/changes-show.ts')).changesShow));
  for (const verb of ['apply', 'discard'] as const) {
    changes
      .command(verb)
      .argument('<receipt>')
      .description(verb === 'apply' ? 'apply changes that were kept' : 'discard changes that wait or were kept')
      .option('--as <name>', 'who settles them')
      .option('--reason <text>', 'why')
      .action(
        bind(async () => {
          const {changesSettle} = await import('../commands/changes-settle.ts');
          return changesSettle(verb);
        }),
      );
  }
}
