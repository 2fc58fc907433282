// Commands for pack authors.
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addAuthorCommands(pack: Commander, bind: Bind): void {
  pack
    .command('validate')
    .argument('[folder]', 'folder of the pack (default: this folder)')
    .description('check a pack and report every problem')
    .addOption(
      new Option('--format <format>', 'json is the same as --json; sarif is for code scanning')
        .choices(['text', 'json', 'sarif'])
        .default('text'),
    )
    .option('--watch', 'repeat after every change, until Ctrl-C')
    .option('--run', "also import the modules of the pack's tools in the sandbox, and compare the manifest with them")
    .action(bind(async () => (await import('../commands/pack-validate.ts')).packValidate));
  pack
    .command('dev')
    .argument('[folder]', 'folder of the pack (default: this folder)')
    .description('watch a pack: after every change, show its tools and problems, and repeat a call')
    .option('--call <call>', 'a tool and its input, for example \'greet {"name": "Ada"}\'')
    .option('--lane <lane>', 'lane of the calls (default: the first lane)')
    .option('--inspect [port]', 'calls wait for a debugger, and run without a sandbox (default port: 9229)')
    .action(bind(async () => (await import('../commands/pack-dev.ts')).packDev));
  pack
    .command('types')
    .argument('[folder]', 'folder of the pack (default: this folder)')
    .description("generate pack-types.ts from the JSON Schemas of the pack's tools and config")
    .option('--check', 'write nothing; exit 1 if the file is stale')
    .action(bind(async () => (await import('../commands/pack-types.ts')).packTypes));
  pack
    .command('manifest')
    .argument('[folder]', 'folder of the pack (default: this folder)')
    .description("write the schemas and declarations in the tools' code into the manifest")
    .option('--check', 'write nothing; exit 1 if the manifest is stale')
    .action(bind(async () => (await import('../commands/pack-manifest.ts')).packManifest));
}
