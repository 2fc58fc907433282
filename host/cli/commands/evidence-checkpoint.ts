// `lumenflow evidence checkpoint`: signs a head over all records so far, to be kept elsewhere.
import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {WitnessAnswer} from '@lumenflow/kernel';
import {counted} from '../../text/counted.ts';
import type {CliContext, Command} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly out?: string;
}

export const evidenceCheckpoint: Command<Options> = async (context, _args, {out}) =>
  await withHost(context, async ({runtime}) => {
    const {checkpoint, answers} = await runtime.evidence.cosign();
    if (out !== undefined) await writeFile(resolve(context.cwd, out), checkpoint);
    return {
      data: {...(out === undefined ? {checkpoint} : {file: out}), witnesses: answers},
      text: () => (out === undefined ? checkpoint.trimEnd() : ''),
      note: () => [...written(context, out), ...answers.map((answer) => witnessLine(answer, context))].join('\n'),
    };
  });

function written({errorStyle}: CliContext, out: string | undefined): readonly string[] {
  return out === undefined ? [] : [`${errorStyle.good('✔')} wrote the checkpoint to ${out}`];
}

function witnessLine({name, log, cosigned, problem}: WitnessAnswer, {errorStyle}: CliContext): string {
  const lines = log === 'events' ? 'event' : 'record';
  if (problem === undefined) return `${errorStyle.good('✔')} ${cleanText(name)} cosigned ${counted(cosigned, lines)}`;
  return `${errorStyle.bad('✘')} ${cleanText(name)} did not cosign the ${lines}s: ${cleanText(problem.message)}`;
}
