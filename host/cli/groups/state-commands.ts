// Commands for the place of a workspace's records.
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addStateCommands(program: Commander, bind: Bind): void {
  const state = program.command('state').description('move and check the records of a workspace: files, or PostgreSQL');
  state
    .command('doctor')
    .description('show where the records are, how many there are, and whether this host can use them')
    .action(bind(async () => (await import('../commands/state-doctor.ts')).stateDoctor));
  state
    .command('migrate')
    .description("create or update the schema of the workspace's records in PostgreSQL; hosts must be stopped")
    .option('--to <version>', 'version of the schema, also an older one; default the newest')
    .option('--delete-records', 'with `--to 0`: delete the schema and all records in it')
    .option('--grant <role>', 'let this role of the database append and read, and not change or delete')
    .option('--grant-archive <role>', 'let this role do the same, and remove what is in the archive')
    .option('--schema <name>', 'its schema; default that of workspace.yaml, or `lumenflow`')
    .action(bind(async () => (await import('../commands/state-migrate.ts')).stateMigrate));
  state
    .command('copy')
    .description('move all records, compare them one by one, and write the new location into workspace.yaml')
    .addOption(new Option('--to <kind>', 'where to').choices(['files', 'postgres']).makeOptionMandatory())
    .option('--schema <name>', 'schema of the database; default `lumenflow`')
    .action(bind(async () => (await import('../commands/state-copy.ts')).stateCopy));
}
