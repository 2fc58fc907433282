// Commands for the changes of calls.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addChangesCommands(program: Commander, bind: Bind): void {
  const changes = program.command('changes').description('review, apply, discard and revert the changes of calls');
  changes
    .command('list')
    .description('list changes that wait for approval or were kept')
    .option('--all', 'include changes that were applied or discarded later')
    .action(bind(async () => (await import('../commands/changes-list.ts')).changesList));
  changes
    .command('show')
    .argument('<receipt>')
    .description('show what a call changed, as a diff')
    .action(bind(async () => (await import('../commands/changes-show.ts')).changesShow));
  changes
    .command('revert')
    .argument('<receipt>')
    .description('revert the changes of a call with a new governed call')
    .option('--dry-run', 'show what would change without changing it')
    .option('--lane <id>', 'lane of the new call (default: the lane of the reverted call)')
    .option('--task <id>', 'task of the new call')
    .option('--session <id>', 'session of the new call')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/changes-revert.ts')).changesRevert));
  for (const verb of ['apply', 'discard'] as const) {
    changes
      .command(verb)
      .argument('<receipt>')
      .description(
        verb === 'apply' ? 'apply changes that were kept' : 'discard changes that wait for approval or were kept',
      )
      .option('--as <name>', 'your name')
      .option('--reason <text>', 'reason for the decision')
      .action(
        bind(async () => {
          const {changesSettle} = await import('../commands/changes-settle.ts');
          return changesSettle(verb);
        }),
      );
  }
}
