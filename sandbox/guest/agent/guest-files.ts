// The files of a guest: unpacked before the program starts, merged into what it uses afterwards, and inspected for what it wrote.
import {chmodSync, lstatSync, lutimesSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {createFileMirror, type ChangedEntry, type FileMirror} from '../../packed-files/file-mirror.ts';
import {EntryReceiver, type ReceivedEntry} from '../../packed-files/entry-receiver.ts';
import {mergeEntries} from '../../packed-files/merge-entries.ts';
import type {PackedEntry} from '../../packed-files/packed-entry.ts';
import {isWellFormed} from '../../packed-files/why-not-allowed.ts';
import {isWithin} from '../../profile/host-paths.ts';
import type {HostMessage} from '../guest-messages.ts';
import type {SeparateContents} from './separate-contents.ts';

/** Where a guest keeps the files of its call. */
export interface FilesFolders {
  /** At their absolute paths. */
  readonly folder: string;
  /** Of contents that arrive. Does not exist yet. */
  readonly staging: string;
  /** Whether the program could write to files that it may only read, so that these lose the permission; default false. */
  readonly sealsReadOnly?: boolean;
  /** Where contents can arrive separately. */
  readonly contents?: SeparateContents | undefined;
}

export class GuestFiles {
  readonly #folder: string;
  readonly #isWritable: (path: string) => boolean;
  readonly #sealsReadOnly: boolean;
  readonly #receiver: EntryReceiver;
  readonly #mirror: FileMirror;
  readonly #contents: SeparateContents | undefined;
  readonly #excluded: Extract<HostMessage, {type: 'open'}>['excluded'];
  /** What arrives before the program uses the files follows none. Later entries are merged, which follows none either. */
  readonly #symlinks = new Set<string>();
  #count = 0;
  #isEmpty = true;
  #isInUse = false;

  constructor(
    {folder, staging, sealsReadOnly = false, contents}: FilesFolders,
    {writable, excluded}: Extract<HostMessage, {type: 'open'}>,
  ) {
    this.#folder = folder;
    mkdirSync(staging, {mode: 0o700});
    this.#excluded = excluded;
    this.#isWritable = (path) => writable.some((granted) => isWithin(path, granted));
    this.#sealsReadOnly = sealsReadOnly;
    this.#contents = contents;
    // Files of an earlier call may be moved into the folder, which is empty until then.
    const place = ({path}: PackedEntry): string =>
      this.#isInUse || contents !== undefined ? join(staging, String((this.#count += 1))) : this.#position(path);
    const copy = contents && ((sha256: string, at: string) => (this.#isInUse ? contents.copy(sha256, at) : undefined));
    this.#receiver = new EntryReceiver(place, copy);
    this.#mirror = createFileMirror({
      mounts: new Map(writable.map((path) => [path, join(folder, path)])),
      excluded: new Set(excluded.map(({path}) => path)),
    });
  }

  /** Throws if the entry would be outside of the folder: not every host is trusted with the whole machine. */
  entry(entry: PackedEntry): void {
    if (!isWellFormed(entry)) throw new RangeError('the host sent an invalid entry');
    if (!this.#isInUse) this.#refuseSymlinks(entry);
    this.#receiver.entry(entry);
  }

  content(bytes: Uint8Array): void {
    this.#receiver.content(bytes);
  }

  /** Everything that has arrived is in its position. */
  async settle(): Promise<void> {
    const received = this.#receiver.take();
    if (!this.#isInUse) return this.#unpack(received);
    const sealed = received.map(({entry, at}) => ({entry: this.#sealed(entry), at}));
    await mergeEntries(sealed, {root: '/', door: this.#folder});
    for (const {entry} of received) this.#mirror.note(entry.path);
  }

  /** From now on, only what changes is of interest. */
  begin(): void {
    for (const {path, kind} of this.#excluded) makeHidden(join(this.#folder, path), kind);
    this.#mirror.changes();
    this.#isInUse = true;
  }

  changes(): readonly ChangedEntry[] {
    return this.#mirror.changes();
  }

  /** Contents are written before an earlier entry has removed anything: what was sent as a symlink remains one. */
  #refuseSymlinks({path, kind}: PackedEntry): void {
    const behind = parentsOf(path).some((parent) => this.#symlinks.has(parent));
    if (behind || (kind !== 'gone' && this.#symlinks.has(path))) {
      throw new RangeError(`the host sent \`${path}\`, which is ${behind ? 'behind ' : ''}a symlink`);
    }
    if (kind === 'symlink') this.#symlinks.add(path);
  }

  /** Nothing else uses the files yet: much faster than a merge. Directories close last. */
  #unpack(received: readonly ReceivedEntry[]): void {
    const entries = received.map(({entry}) => entry);
    const claimed = this.#isEmpty ? this.#contents?.claim(entries, this.#folder) : undefined;
    this.#isEmpty = false;
    const missing = received.filter(({entry}) => claimed?.has(entry.path) !== true);
    for (const {entry, at} of missing) {
      make(this.#position(entry.path), entry);
      if (entry.kind === 'file') this.#fill(entry, at);
    }
    for (const {entry} of missing.toReversed()) finish(join(this.#folder, entry.path), this.#sealed(entry));
    this.#contents?.noteReadOnly(
      entries.filter(({path}) => !this.#isWritable(path)),
      this.#folder,
    );
  }

  #fill({path, sha256}: PackedEntry, at: string): void {
    const target = join(this.#folder, path);
    if (sha256 !== undefined) this.#contents?.copy(sha256, target);
    else if (at !== target) renameSync(at, target);
  }

  /** Its directory exists. */
  #position(path: string): string {
    const target = join(this.#folder, path);
    mkdirSync(dirname(target), {recursive: true});
    return target;
  }

  #sealed(entry: PackedEntry): PackedEntry {
    return this.#sealsReadOnly && !this.#isWritable(entry.path) ? {...entry, mode: entry.mode & readOnly} : entry;
  }
}

const readOnly = 0o7555;

function make(target: string, {kind, link}: PackedEntry): void {
  if (kind === 'gone') rmSync(target, {recursive: true, force: true});
  else if (kind === 'directory') mkdirSync(target, {recursive: true});
  else if (kind === 'symlink') symlinkSync(link ?? '', target);
}

function finish(target: string, {kind, mode, mtime_ns}: PackedEntry): void {
  // What the guest mounts there is not the agent's to change.
  if (kind === 'gone' || lstatSync(target).uid !== process.geteuid?.()) return;
  if (kind !== 'symlink') chmodSync(target, mode);
  const seconds = Number(mtime_ns) / 1e9;
  lutimesSync(target, seconds, seconds);
}

function parentsOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1, -1).map((_, index) => names.slice(0, index + 2).join('/'));
}

function makeHidden(path: string, kind: 'file' | 'directory' | undefined): void {
  if (kind === undefined) return;
  mkdirSync(kind === 'directory' ? path : dirname(path), {recursive: true});
  if (kind === 'file') writeFileSync(path, '', {flag: 'a'});
}
