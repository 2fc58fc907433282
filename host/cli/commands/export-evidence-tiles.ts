// `lumenflow evidence export --tiles`: both logs as static files in the layout of C2SP tlog-tiles, for a web server.
import {fileLogs, publishTiles, readVerifierKeys, type PublishedTiles} from '@lumenflow/kernel/node';
import {dirname, join, resolve} from 'node:path';
import {counted} from '../../text/counted.ts';
import type {CliContext, Outcome} from '../command.ts';
import {findStateFolder} from '../lookup/find-state-folder.ts';
import {signNewest} from '../sign-newest.ts';
import {namedArchive} from '../state/named-archive.ts';
import {openStateOf} from '../state/open-state-of.ts';
import {stateOf} from '../state/state-of.ts';

interface Options {
  readonly tiles: string;
  readonly folder?: string | undefined;
}

export async function exportEvidenceTiles(context: CliContext, {tiles, folder}: Options): Promise<Outcome> {
  await signNewest(context, folder);
  const published = await context.spin('exporting', () =>
    publish(context, {tiles: resolve(context.cwd, tiles), folder}),
  );
  const count = [counted(published.records, 'record'), counted(published.events, 'event')].join(' and ');
  return {
    data: {tiles, ...published},
    note: () => `${context.errorStyle.good('✔')} published the hashes of ${count} in ${tiles}`,
  };
}

async function publish(context: CliContext, {tiles, folder}: Options): Promise<PublishedTiles> {
  const stateFolder = findStateFolder(context, folder);
  const keys = readVerifierKeys(join(dirname(stateFolder), 'keys'));
  const place = folder === undefined ? await stateOf(context) : undefined;
  if (place === undefined || place.settings.kind === 'files') {
    const archive = await namedArchive(context, {stateFolder});
    return await publishTiles({logs: fileLogs(stateFolder, archive), keys, stateFolder}, tiles);
  }
  const state = await openStateOf(context, place);
  try {
    return await publishTiles({logs: state.logs, keys, stateFolder}, tiles);
  } finally {
    await state.close();
  }
}
