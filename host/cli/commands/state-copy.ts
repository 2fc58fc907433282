// `lumenflow state copy`: moves a workspace's records between files and PostgreSQL.
import {compareStates, copyState, importToFiles, type CopyReport, type StateImport} from '@lumenflow/kernel/node';
import type {StateSettings} from '@lumenflow/schemas';
import {readFile, rename} from 'node:fs/promises';
import {join} from 'node:path';
import {editYaml} from '../../text/edit-yaml.ts';
import {loadStatePackage, stateAddress} from '../../workspace-state/state-package.ts';
import {writeWhole} from '../../write-whole.ts';
import type {CliContext, Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {kernelFolderOf, openStateOf} from '../state/open-state-of.ts';
import {stateOf, type StateOfWorkspace} from '../state/state-of.ts';

interface Options {
  readonly to: StateSettings['kind'];
  readonly schema?: string;
}

export const stateCopy: Command<Options> = async (context, _args, {to, schema}) => {
  const before = await stateOf(context);
  if (before.settings.kind === to) {
    throw new CliError('INVALID_ARGUMENT', `the records are in ${to} already`, {exitCode: exitCode.usage});
  }
  const after = {...before, settings: {kind: to, ...(schema !== undefined && {schema})}};
  const copied = await move(context, before, after);
  const kept = before.settings.kind === 'files' ? await putAside(before.workspaceRoot) : undefined;
  await writeSettings(after);
  const {style, errorStyle} = context;
  const {events, traces, contents, specs, checkpoints} = copied;
  return {
    data: {copied, to, ...(kept !== undefined && {kept})},
    text: () =>
      `${style.good('✔')} copied and compared ${traces} records, ${events} events, ${contents} contents, ${specs} task specs and ${checkpoints} checkpoints`,
    note: () =>
      errorStyle.dim(
        kept === undefined
          ? 'the records in the database remain; `lumenflow state migrate --to 0 --delete-records` deletes them'
          : `the files remain in ${kept}`,
      ),
  };
};

async function move(context: CliContext, before: StateOfWorkspace, after: StateOfWorkspace): Promise<CopyReport> {
  const target = await openImport(context, after);
  try {
    const from = await openStateOf(context, before);
    try {
      const copied = await context.spin('copying', (say) =>
        copyState({
          from,
          to: target.into,
          onProgress: (lines) => say(`copying: ${lines.toLocaleString('en')} records`),
        }),
      );
      const other = await openStateOf(context, after);
      try {
        await context.spin('comparing', () => compareStates(from, other));
      } finally {
        await other.close();
      }
      return copied;
    } finally {
      await from.close();
    }
  } finally {
    await target.close();
  }
}

interface Target {
  readonly into: StateImport;
  close(): Promise<void>;
}

async function openImport({env}: CliContext, {workspaceRoot, settings}: StateOfWorkspace): Promise<Target> {
  if (settings.kind === 'files') {
    return {into: await importToFiles(kernelFolderOf(workspaceRoot)), close: () => Promise.resolve()};
  }
  const {Database, migrate, importToPostgres} = await loadStatePackage(workspaceRoot);
  const database = new Database(stateAddress(settings, env));
  try {
    await migrate(database);
    return {into: await importToPostgres(database), close: () => database.close()};
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** So that no host continues them by mistake. */
async function putAside(workspaceRoot: string): Promise<string> {
  const folder = kernelFolderOf(workspaceRoot);
  const aside = `${folder}-before-${new Date().toISOString().replaceAll(/[^0-9TZ]/gu, '')}`;
  await rename(folder, aside);
  return aside;
}

async function writeSettings({workspaceRoot, settings}: StateOfWorkspace): Promise<void> {
  const text = await readFile(join(workspaceRoot, 'workspace.yaml'), 'utf8');
  const edited = editYaml(text, (document) => {
    if (settings.kind === 'files') document.delete('state');
    else document.set('state', document.createNode(settings));
  });
  await writeWhole(workspaceRoot, 'workspace.yaml', edited);
}
