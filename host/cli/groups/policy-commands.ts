// Commands about what decides over calls, claims and completions.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const testHelp = `
Exit codes:
  0  every example holds
  1  an example does not hold; with --strict also when a rule can decide nothing
  2  the workspace cannot be loaded for another reason`;

export function addPolicyCommands(program: Commander, bind: Bind): void {
  const policy = program.command('policy').description('what decides about calls, claims and completions');
  policy
    .command('explain')
    .argument('[tool]', 'for example file:write')
    .argument('[input...]', 'key=value, as for `tools call`')
    .description('what would be decided, by whom, where that is written, and what would change it')
    .option('-i, --input <json>', 'the input as JSON, @file or - for stdin')
    .option('--lane <lane>', 'as seen from this lane (default: the first)')
    .option('--task <task>', 'as seen from this active task')
    .option('--claim <task>', 'instead of a call: claiming this task')
    .option('--completion <task>', 'instead of a call: completing this task')
    .action(bind(async () => (await import('../commands/policy-explain.ts')).policyExplain));
  policy
    .command('test')
    .description('check the examples of all rules, and find rules that can decide nothing')
    .option('--strict', 'fail for rules that can decide nothing, too')
    .addHelpText('after', testHelp)
    .action(bind(async () => (await import('../commands/policy-test.ts')).policyTest));
}
