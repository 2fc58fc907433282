// The files of a guest: unpacked before the program starts, merged into what it uses afterwards, and inspected for what it wrote.
import {chmodSync, lutimesSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {createFileMirror, type ChangedEntry, type FileMirror} from '../../packed-files/file-mirror.ts';
import {EntryReceiver, type ReceivedEntry} from '../../packed-files/entry-receiver.ts';
import {mergeEntries} from '../../packed-files/merge-entries.ts';
import type {PackedEntry} from '../../packed-files/packed-entry.ts';
import {filesFolder} from '../files-folder.ts';
import type {HostMessage} from '../guest-messages.ts';

const stagingFolder = '/files/.arriving';

export class GuestFiles {
  readonly #receiver: EntryReceiver;
  readonly #mirror: FileMirror;
  readonly #excluded: Extract<HostMessage, {type: 'open'}>['excluded'];
  #count = 0;
  #isInUse = false;

  constructor({writable, excluded}: Extract<HostMessage, {type: 'open'}>) {
    mkdirSync(stagingFolder, {mode: 0o700});
    this.#excluded = excluded;
    this.#receiver = new EntryReceiver(() => join(stagingFolder, String((this.#count += 1))));
    this.#mirror = createFileMirror({
      mounts: new Map(writable.map((path) => [path, join(filesFolder, path)])),
      excluded: new Set(excluded.map(({path}) => path)),
    });
  }

  entry(entry: PackedEntry): void {
    this.#receiver.entry(entry);
  }

  content(bytes: Uint8Array): void {
    this.#receiver.content(bytes);
  }

  /** Everything that has arrived is in its position. */
  async settle(): Promise<void> {
    const received = this.#receiver.take();
    if (!this.#isInUse) return this.#unpack(received);
    await mergeEntries(received, {root: '/', door: filesFolder});
    for (const {entry} of received) this.#mirror.note(entry.path);
  }

  /** From now on, only what changes is of interest. */
  begin(): void {
    for (const {path, kind} of this.#excluded) makeHidden(join(filesFolder, path), kind);
    this.#mirror.changes();
    this.#isInUse = true;
  }

  changes(): readonly ChangedEntry[] {
    return this.#mirror.changes();
  }

  /** Nothing else uses the files yet: much faster than a merge. */
  #unpack(received: readonly ReceivedEntry[]): void {
    for (const {entry, at} of received) unpack(entry, at);
  }
}

function unpack({path, kind, mode, mtime_ns, link}: PackedEntry, at: string): void {
  const target = join(filesFolder, path);
  mkdirSync(dirname(target), {recursive: true});
  if (kind === 'gone') return rmSync(target, {recursive: true, force: true});
  if (kind === 'directory') mkdirSync(target, {recursive: true});
  else if (kind === 'symlink') symlinkSync(link ?? '', target);
  else renameSync(at, target);
  if (kind !== 'symlink') chmodSync(target, mode);
  const seconds = Number(mtime_ns) / 1e9;
  lutimesSync(target, seconds, seconds);
}

function makeHidden(path: string, kind: 'file' | 'directory' | undefined): void {
  if (kind === undefined) return;
  mkdirSync(kind === 'directory' ? path : dirname(path), {recursive: true});
  if (kind === 'file') writeFileSync(path, '', {flag: 'a'});
}
