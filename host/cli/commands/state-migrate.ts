// `lumenflow state migrate`: the schema of a workspace's records in PostgreSQL.
import {loadStatePackage, stateAddress} from '../../workspace-state/state-package.ts';
import type {Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {stateOf} from '../state/state-of.ts';

interface Options {
  readonly to?: string;
  readonly grant?: string;
  readonly grantArchive?: string;
  readonly schema?: string;
  readonly deleteRecords?: boolean;
}

export const stateMigrate: Command<Options> = async (context, _args, options) => {
  const {workspaceRoot, settings} = await stateOf(context);
  const to = options.to === undefined ? undefined : Number(options.to);
  if (to !== undefined && !(Number.isSafeInteger(to) && to >= 0)) {
    throw new CliError('INVALID_ARGUMENT', `\`${options.to ?? ''}\` is not a version`, {
      help: 'use a whole number, or omit `--to` for the newest version',
      exitCode: exitCode.usage,
    });
  }
  if ((to === 0) !== (options.deleteRecords === true)) {
    throw new CliError('INVALID_ARGUMENT', 'version 0 has no records', {
      help: 'to delete them all, use `--to 0 --delete-records`',
      exitCode: exitCode.usage,
    });
  }
  const {Database, migrate, grantUse} = await loadStatePackage(workspaceRoot);
  const database = new Database(stateAddress({...settings, schema: options.schema ?? settings.schema}, context.env));
  try {
    const done = await context.spin('migrating', () => migrate(database, to));
    const {grant, grantArchive} = options;
    if (grant !== undefined) await grantUse(database, grant);
    if (grantArchive !== undefined) await grantUse(database, grantArchive, {archives: true});
    const {style} = context;
    const versions =
      done.from === done.to ? `has version ${done.to} already` : `changed from version ${done.from} to ${done.to}`;
    const granted = [
      ...(grant === undefined ? [] : [`; \`${grant}\` may append and read`]),
      ...(grantArchive === undefined ? [] : [`; \`${grantArchive}\` may append, read and archive`]),
    ].join('');
    return {
      data: {
        location: database.location,
        ...done,
        ...(grant !== undefined && {granted: grant}),
        ...(grantArchive !== undefined && {granted_archive: grantArchive}),
      },
      text: () => `${style.good('✔')} ${database.location} ${versions}${granted}`,
    };
  } finally {
    await database.close();
  }
};
