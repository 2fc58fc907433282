// Commands about the policy for calls, claims and completions.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const testHelp = `
Exit codes:
  0  every example passes
  1  an example fails, or with --strict a rule can never match
  2  the workspace cannot be loaded`;

export function addPolicyCommands(program: Commander, bind: Bind): void {
  const policy = program.command('policy').description('explain and test the policy for calls, claims and completions');
  policy
    .command('explain')
    .argument('[tool]', 'for example file:write')
    .argument('[input...]', 'key=value, as for `tools call`')
    .description('show the decision, the rules behind it and their location, and what would change it')
    .option('-i, --input <json>', 'the input as JSON, @file or - for stdin')
    .option('--lane <lane>', 'evaluate in this lane (default: the first lane)')
    .option('--task <task>', 'evaluate in this active task')
    .option('--claim <task>', 'explain the claim of this task instead of a call')
    .option('--completion <task>', 'explain the completion of this task instead of a call')
    .action(bind(async () => (await import('../commands/policy-explain.ts')).policyExplain));
  policy
    .command('test')
    .description('check the examples of all rules, and find rules that can never match')
    .option('--strict', 'also fail for rules that can never match')
    .addHelpText('after', testHelp)
    .action(bind(async () => (await import('../commands/policy-test.ts')).policyTest));
}
