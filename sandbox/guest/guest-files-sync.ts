// Keeps the files of a call and its guest's copies alike, one direction at a time.
import {createFileMirror, type ChangedEntry} from '../packed-files/file-mirror.ts';
import type {GrantedFiles} from '../packed-files/granted-files.ts';
import {openArrivals} from '../packed-files/open-arrivals.ts';
import type {PackedEntry} from '../packed-files/packed-entry.ts';
import {sendChanges} from '../packed-files/send-changes.ts';
import {oneAtATime} from '../transaction/one-at-a-time.ts';
import type {GuestLink} from './guest-link.ts';

export interface GuestFilesSync {
  /** Of what is packed first. */
  readonly bytes: number;
  readonly entries: number;
  /** Sends what has changed on this side, at first everything. */
  bringIn(link: Pick<GuestLink, 'say' | 'write'>): Promise<void>;
  /** Asks for what the program wrote, and merges it. */
  bringBack(link: Pick<GuestLink, 'say'>): Promise<void>;
  /** From the guest, between the question and `collected`. Both throw if the guest may not send it. */
  entry(entry: PackedEntry): void;
  content(bytes: Buffer): void;
  collected(): void;
  remove(): Promise<void>;
}

/** `identify` adds the digests of contents that travel separately. */
export async function openGuestFilesSync(
  files: GrantedFiles,
  identify: (changes: readonly ChangedEntry[]) => Promise<readonly ChangedEntry[]> = async (changes) => changes,
): Promise<GuestFilesSync> {
  const mirror = createFileMirror(files.packed);
  const arrivals = await openArrivals(files);
  const exclusively = oneAtATime();
  let first: readonly ChangedEntry[] | undefined = await identify(mirror.changes());
  let collected: (() => void) | undefined;
  return {
    bytes: first.reduce((sum, {entry}) => sum + entry.size, 0),
    entries: first.length,
    bringIn: async ({say, write}) =>
      await exclusively(async () => {
        const changes = first ?? mirror.changes();
        first = undefined;
        await sendChanges(changes, {
          entry: (entry) => say({type: 'entry', entry}),
          content: (bytes) => write('content', bytes),
        });
        await say({type: 'entries_end'});
      }),
    async bringBack({say}) {
      if (files.target === undefined) return;
      await exclusively(async () => {
        const answered = new Promise<void>((resolve) => (collected = resolve));
        await say({type: 'collect'});
        await answered;
        for (const path of await arrivals.merge()) mirror.note(path);
      });
    },
    entry: (entry) => arrivals.entry(entry),
    content: (bytes) => arrivals.content(bytes),
    collected: () => collected?.(),
    remove: () => arrivals.remove(),
  };
}
