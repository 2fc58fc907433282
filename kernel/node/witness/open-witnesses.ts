// The witnesses of a workspace: each gets the newest checkpoint of both logs, in the background.
import {KernelError} from '@lumenflow/kernel';
import type {WitnessSettings} from '@lumenflow/schemas';
import {logNames} from '../log/log-name.ts';
import type {HeadOf, LogWitnesses} from '../signed-log/log-witnesses.ts';
import {CosignedNotes} from './cosigned-notes.ts';
import {Submissions} from './submissions.ts';
import type {SharedCosignatures} from './shared-cosignatures.ts';
import {parseWitnessKey} from './witness-key.ts';
import {WitnessReports} from './witness-reports.ts';

export interface WitnessesOptions {
  readonly settings: WitnessSettings;
  /** `.lumenflow/kernel`: cosignatures are files, in any store of the records. */
  readonly stateFolder: string;
  /** Where several hosts share them. */
  readonly shared?: SharedCosignatures | undefined;
  /** ISO 8601. */
  readonly now: () => string;
  /** Before a failed submission is repeated for the first time, in milliseconds; default 1,000. */
  readonly firstPauseMs?: number;
  readonly onRejected: (message: string) => void;
}

/** How long the end of a process waits for a witness that answered before. */
const graceMs = 1_000;

/** Throws KernelError LOAD_FAILED for a key that is not a witness's. */
export function openWitnesses(options: WitnessesOptions, head: HeadOf): LogWitnesses {
  const {settings, stateFolder, shared, now, firstPauseMs = 1_000, onRejected} = options;
  const cosigned = {
    events: new CosignedNotes(stateFolder, 'events', shared),
    traces: new CosignedNotes(stateFolder, 'traces', shared),
  };
  const all = settings.servers.flatMap(({url, key}) => {
    const witness = parseWitnessKey(key);
    if (witness === undefined) throw new KernelError('LOAD_FAILED', `\`${key}\` is not the verifier key of a witness`);
    return logNames.map((log) => {
      const reports = new WitnessReports(stateFolder, log);
      return new Submissions({
        log,
        url,
        witness,
        cosigned: cosigned[log],
        reports,
        head,
        now,
        firstPauseMs,
        onRejected,
      });
    });
  });
  return {
    notice: () => all.forEach((submissions) => submissions.notice()),
    submit: () =>
      Promise.all(
        all.map(async (submissions) => {
          const {witness, url, log} = submissions.options;
          return {name: witness.name, url, log, ...(await submissions.submit())};
        }),
      ),
    async complete(log, size, note) {
      // Another host may have submitted it.
      await cosigned[log].sync();
      return cosigned[log].complete(size, note);
    },
    close: async () => void (await Promise.all(all.map((submissions) => submissions.close(graceMs)))),
  };
}
