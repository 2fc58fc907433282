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
  changes
    .command('revert')
    .argument('<receipt>')
    .description('take back what a call changed, as a governed call of its own')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--lane <id>', 'lane of the new call; default the lane of the call that is reverted')
    .option('--task <id>', 'task of the new call')
    .option('--session <id>', 'session of the new call')
    .option('--as <name>', 'who reverts it')
    .action(bind(async () => (await import('../commands/changes-revert.ts')).changesRevert));
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
