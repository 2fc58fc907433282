// `lumenflow evidence checkpoint`: signs a head over all records so far, to be kept elsewhere.
import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {Command} from '../command.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly out?: string;
}

export const evidenceCheckpoint: Command<Options> = async (context, _args, {out}) =>
  await withHost(context, async ({runtime}) => {
    const checkpoint = await runtime.evidence.checkpoint();
    if (out !== undefined) await writeFile(resolve(context.cwd, out), checkpoint);
    return {
      data: out === undefined ? {checkpoint} : {file: out},
      text: () => (out === undefined ? checkpoint.trimEnd() : ''),
      note: () => (out === undefined ? '' : `${context.errorStyle.good('✔')} wrote the checkpoint to ${out}`),
    };
  });
