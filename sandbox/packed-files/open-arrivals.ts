// Brings what a call wrote elsewhere into its view, from which its transaction takes it like the writes of any other call.
import {mkdirSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {makeOwnedFolder} from '../backends/leftover-folders.ts';
import {defaultLimits} from '../limits/resolve-limits.ts';
import {EntryReceiver} from './entry-receiver.ts';
import type {GrantedFiles} from './granted-files.ts';
import {mergeEntries} from './merge-entries.ts';
import type {PackedEntry} from './packed-entry.ts';
import {whyNotAllowed} from './why-not-allowed.ts';

/** The folder of a call's arriving files. */
export const arrivalsKind = 'lumenflow-arrivals';

export interface Arrivals {
  /** Throws with the reason if the entry is not allowed. */
  entry(entry: PackedEntry): void;
  content(bytes: Uint8Array): void;
  /** Merges what has arrived, and returns its paths. */
  merge(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export async function openArrivals(files: GrantedFiles): Promise<Arrivals> {
  const folder = await makeOwnedFolder(tmpdir(), arrivalsKind);
  const {write_bytes = defaultLimits.write_bytes, write_files = defaultLimits.write_files} = files.profile.limits;
  let bytesLeft = write_bytes;
  let entriesLeft = write_files;
  let count = 0;
  const receiver = new EntryReceiver(() => join(folder, String((count += 1))));
  mkdirSync(folder, {recursive: true});
  return {
    entry(entry) {
      const problem = files.target === undefined ? 'it may not write anything' : whyNotAllowed(entry, files);
      if (problem !== undefined) throw new RangeError(problem);
      bytesLeft -= entry.size;
      entriesLeft -= 1;
      if (bytesLeft < 0) throw new RangeError(`it wrote more than ${write_bytes} bytes (\`write_bytes\`)`);
      if (entriesLeft < 0) throw new RangeError(`it changed more than ${write_files} files (\`write_files\`)`);
      receiver.entry(entry);
    },
    content: (bytes) => receiver.content(bytes),
    async merge() {
      const received = receiver.take();
      if (files.target !== undefined) await mergeEntries(received, files.target);
      return received.map(({entry}) => entry.path);
    },
    async remove() {
      receiver.close();
      await rm(folder, {recursive: true, force: true});
    },
  };
}
