// Commands for who writes a pack.
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addAuthorCommands(pack: Commander, bind: Bind): void {
  pack
    .command('validate')
    .argument('[folder]', 'default: this folder')
    .description('find all that is wrong with a pack')
    .addOption(
      new Option('--format <format>', 'sarif is for code scanning; json is --json')
        .choices(['text', 'json', 'sarif'])
        .default('text'),
    )
    .option('--watch', 'again at every change, until Ctrl-C')
    .action(bind(async () => (await import('../commands/pack-validate.ts')).packValidate));
  pack
    .command('dev')
    .argument('[folder]', 'default: this folder')
    .description('watch a pack that you write: its tools, what is wrong, and a call again at every change')
    .option('--call <call>', 'a tool and its input: \'greet {"name": "Ada"}\'')
    .option('--lane <lane>', 'the lane of the calls; default: the first')
    .action(bind(async () => (await import('../commands/pack-dev.ts')).packDev));
  pack
    .command('types')
    .argument('[folder]', 'default: this folder')
    .description('write the types of tools and config that are declared by JSON Schema, to pack-types.ts')
    .option('--check', 'write nothing; exit 1 when the file is stale')
    .action(bind(async () => (await import('../commands/pack-types.ts')).packTypes));
  pack
    .command('manifest')
    .argument('[folder]', 'default: this folder')
    .description('fill the schemas of manifest.yaml from those that the tools are defined with')
    .option('--check', 'write nothing; exit 1 when the manifest is stale')
    .action(bind(async () => (await import('../commands/pack-manifest.ts')).packManifest));
}
