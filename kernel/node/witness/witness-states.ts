// The witnesses of a workspace as they are now: what was recorded of each of them, and whether it answers.
import type {WitnessAnswer} from '@lumenflow/kernel';
import type {WitnessSettings} from '@lumenflow/schemas';
import {logNames} from '../log/log-name.ts';
import {postToWitness} from './post-to-witness.ts';
import {parseWitnessKey} from './witness-key.ts';
import {messageOf} from './message-of.ts';
import {WitnessReports} from './witness-reports.ts';

/** What became of the newest submission to each witness, of each log; without those to which nothing was submitted. */
export function readWitnessAnswers(stateFolder: string, {servers}: WitnessSettings): readonly WitnessAnswer[] {
  return servers.flatMap(({url, key}) => {
    const witness = parseWitnessKey(key);
    return logNames.flatMap((log) => {
      const report = witness && new WitnessReports(stateFolder, log).read(witness.id);
      return witness === undefined || report === undefined ? [] : [{name: witness.name, url, log, ...report}];
    });
  });
}

/** Why a server is not a witness that answers; undefined if it is. A witness answers an empty request with 400. */
export async function probeWitness(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const {status} = await postToWitness(url, '', signal);
    return status === 400 ? undefined : `it answers an empty request with ${status} instead of 400`;
  } catch (error) {
    return messageOf(error);
  }
}
