// Commands about the policy for calls, claims and completions.
import type {CallSurface} from '@lumenflow/schemas';
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const surfaces: readonly CallSurface[] = ['agent', 'api', 'cli', 'http', 'mcp'];

const testHelp = `
Exit codes:
  0  every example passes
  1  an example fails, or with --strict a rule can never match
  2  the workspace cannot be loaded`;

const lintHelp = `
Exit codes:
  0  there are no findings; notes about calls that two rules match do not count
  1  there are findings`;

export function addPolicyCommands(program: Commander, bind: Bind): void {
  const policy = program
    .command('policy')
    .description('explain, test and extend the policy for calls, claims and completions');
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
    .option('--as <name>', 'evaluate for this actor (default: you; of a task in progress, its claimant)')
    .addOption(new Option('--surface <surface>', 'evaluate a call from there').choices(surfaces).default('cli'))
    .option('--at <time>', 'evaluate at this time instead of now')
    .action(bind(async () => (await import('../commands/policy-explain.ts')).policyExplain));
  policy
    .command('observed')
    .description('count what rules with `mode: observe` would have decided about recorded calls')
    .option('--since <time>', 'calls that started at or after this time (ISO 8601, or a duration such as 24h)')
    .option('--until <time>', 'calls that started at or before this time (ISO 8601, or a duration such as 24h)')
    .action(bind(async () => (await import('../commands/policy-observed.ts')).policyObserved));
  policy
    .command('templates')
    .description('list rules that admins often need')
    .action(bind(async () => (await import('../commands/policy-templates.ts')).policyTemplates));
  policy
    .command('add')
    .argument('<template>', 'its name, as `policy templates` lists it')
    .description('write the rule of a template into workspace.yaml, with its examples')
    .action(bind(async () => (await import('../commands/policy-add.ts')).policyAdd));
  policy
    .command('lint')
    .description(
      'find rules that decide nothing, contradict each other, overlap, or name something that does not exist or has passed',
    )
    .addHelpText('after', lintHelp)
    .action(bind(async () => (await import('../commands/policy-lint.ts')).policyLint));
  policy
    .command('test')
    .description('check the examples of all rules, and find rules that can never match')
    .option('--strict', 'also fail for rules that can never match')
    .addHelpText('after', testHelp)
    .action(bind(async () => (await import('../commands/policy-test.ts')).policyTest));
}
