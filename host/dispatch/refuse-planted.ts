// What comes of a call that has planted what programs outside the sandbox obey: it has failed, and says so.
import type {DispatchOutcome} from '@lumenflow/kernel';
import {takeAwayPlanted, type PlantedInput} from '@lumenflow/sandbox';
import {failedOutput} from '../pool/index.ts';

const listedMax = 20;

/** Undefined when the call has planted nothing. */
export async function refusePlanted(
  input: Omit<PlantedInput, 'keptIn'> & {readonly receiptId: string; readonly tool: string},
): Promise<DispatchOutcome['output'] | undefined> {
  const keptIn = `.lumenflow/quarantine/${input.receiptId}`;
  const planted = await takeAwayPlanted({...input, keptIn});
  if (planted.length === 0) return undefined;
  const stuck = planted.filter(({problem}) => problem !== undefined);
  const paths = planted.slice(0, listedMax).map(({path}) => path);
  const message =
    `during \`${input.tool}\` ${named(paths, planted.length)} came to be, which programs outside the sandbox obey and no scope names; ` +
    (stuck.length === 0
      ? `it was moved to \`${keptIn}\``
      : `take it away: it could not be moved (${stuck[0]?.problem ?? ''})`);
  return failedOutput('SCOPE_DENIED', message, {
    paths,
    access: 'write',
    kept_in: keptIn,
    remedy: 'look at it there; to let tools make it, name the path itself in a write scope of every layer',
  });
}

function named(paths: readonly string[], count: number): string {
  const first = `\`${paths[0] ?? ''}\``;
  return count === 1 ? first : `${first} and ${count - 1} more`;
}
