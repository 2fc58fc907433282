// Commands for tasks.
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addTaskCommands(program: Commander, bind: Bind): void {
  program
    .command('board')
    .description('show the tasks by lane')
    .option('--lane <lane>', 'only this lane')
    .option('--all', 'show all ready tasks, not only the oldest five')
    .option('--watch', 'update the board after every change, until Ctrl-C')
    .action(bind(async () => (await import('../commands/board.ts')).board));
  const task = program.command('task').description('create, claim and complete tasks');
  task
    .command('create')
    .argument('<id>', 'letters, digits, `.`, `_` and `-`')
    .description('create a task')
    .option('--lane <lane>', 'lane of the task (default: the first lane)')
    .option('--title <title>', 'title of the task')
    .option('--description <text>', 'description of the task')
    .option('--type <type>', 'a task type of a pack')
    .option('--read <pattern...>', 'limit what the task may read')
    .option('--write <pattern...>', 'limit what the task may write')
    .option('--blocked-by <task...>', 'tasks that must be completed first')
    .option('--file <file>', 'complete spec as YAML or JSON; - reads stdin')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/task-create.ts')).taskCreate));
  task
    .command('list')
    .description('list the tasks of the workspace')
    .option('--lane <lane>', 'only tasks in this lane')
    .addOption(
      new Option('--state <state>', 'only tasks in this state (default: all but done)').choices([
        'ready',
        'active',
        'blocked',
        'done',
        'cancelled',
        'all',
      ]),
    )
    .action(bind(async () => (await import('../commands/task-list.ts')).taskList));
  task
    .command('show')
    .argument('<task>')
    .description('show a task, its history and its calls')
    .action(bind(async () => (await import('../commands/task-show.ts')).taskShow));
  addTransitions(task, bind);
}

function addTransitions(task: Commander, bind: Bind): void {
  task
    .command('claim')
    .argument('<task>')
    .description('claim a ready task, which allows tool calls in it')
    .option('--as <name>', 'your name')
    .option('--session <id>', 'session that owns the claim (default: cli-NAME)')
    .action(bind(async () => (await import('../commands/task-claim.ts')).taskClaim));
  task
    .command('block')
    .argument('<task>')
    .requiredOption('--reason <text>', 'what the task waits for')
    .description('mark an active task as blocked')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/task-block.ts')).taskBlock));
  task
    .command('unblock')
    .argument('<task>')
    .description('resume a blocked task')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/task-unblock.ts')).taskUnblock));
  task
    .command('complete')
    .argument('<task>')
    .description('complete a task, if policy allows it')
    .option('--evidence <receipt...>', 'receipts that prove the completion')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/task-complete.ts')).taskComplete));
  task
    .command('release')
    .argument('<task>')
    .description('release a claimed task')
    .option('--reason <text>', 'reason for the release', 'released')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/task-release.ts')).taskRelease));
}
