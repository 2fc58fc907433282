// `lumenflow evidence export --bundle`: everything that a stranger needs to verify the log without LumenFlow.
import {exportBundle} from '@lumenflow/kernel/node';
import {dirname, join, resolve} from 'node:path';
import type {CliContext, Outcome} from '../command.ts';
import {findStateFolder} from '../lookup/find-state-folder.ts';
import {signNewest} from '../sign-newest.ts';
import {namedArchive} from '../state/named-archive.ts';
import {counted} from '../../text/counted.ts';

interface Options {
  readonly bundle: string;
  readonly folder?: string;
}

export async function exportEvidenceBundle(context: CliContext, {bundle, folder}: Options): Promise<Outcome> {
  await signNewest(context, folder);
  const stateFolder = findStateFolder(context, folder);
  const keyFolder = join(dirname(stateFolder), 'keys');
  const archive = await namedArchive(context, {stateFolder});
  const written = await context.spin('exporting', () =>
    exportBundle({stateFolder, keyFolder, archive}, resolve(context.cwd, bundle)),
  );
  const {errorStyle} = context;
  const count = [
    counted(written.records, 'record'),
    counted(written.events, 'event'),
    counted(written.contents, 'content'),
  ];
  const missing = written.missing === 0 ? '' : `; ${counted(written.missing, 'content')} missing or redacted`;
  return {
    data: {bundle, ...written},
    note: () => `${errorStyle.good('✔')} wrote ${count.join(', ')} to ${bundle}${missing}`,
  };
}
