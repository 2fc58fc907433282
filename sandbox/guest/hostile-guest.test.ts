// A guest whose kernel was taken over sends what it likes. The host takes only what the call was granted, and follows no symlink.
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Duplex} from 'node:stream';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {GrantedFiles} from '../packed-files/granted-files.ts';
import type {PackedEntry} from '../packed-files/packed-entry.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {encodeMessage, frameWriterOf, readFrames, type FrameKind} from './guest-channel.ts';
import {openGuestFilesSync} from './guest-files-sync.ts';
import {Guest} from './guest.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-guest-')));
  root = join(folder, 'workspace');
  mkdirSync(join(root, 'out'), {recursive: true});
  mkdirSync(join(root, 'out/hidden'));
  writeFileSync(join(root, 'out/kept'), 'kept');
  writeFileSync(join(folder, 'outside'), 'outside');
});
afterEach(() => rmSync(folder, {recursive: true}));

const resultFrame = Buffer.from('\0\0\0\x11{"type":"result"}');

interface Attack {
  readonly entry: PackedEntry;
  readonly content?: string;
}

/** Returns what the host made of it: the problem, and what arrived on the wire of the call. */
async function receive(attacks: readonly Attack[], limits = {}): Promise<{problem: string | undefined; wire: string}> {
  const files: GrantedFiles = {
    packed: {mounts: new Map([[join(root, 'out'), join(root, 'out')]]), excluded: new Set([join(root, 'out/hidden')])},
    writable: [join(root, 'out')],
    sealed: [join(root, 'out/hidden')],
    target: {root, door: root},
    profile: {...narrowestProfile(), limits},
  };
  const [host, guest] = connected();
  const sync = await openGuestFilesSync(files);
  const machine = new Guest({port: host, name: 'the machine', sync, isSpare: false, kill: () => guest.destroy()});
  const write = frameWriterOf(guest);
  void readFrames(guest as AsyncIterable<Uint8Array>, async (kind: FrameKind) => {
    // The host asks for what was written.
    if (kind !== 'message') return;
    for (const {entry, content} of attacks) {
      await write('message', encodeMessage({type: 'entry', entry}));
      if (content !== undefined) await write('content', Buffer.from(content));
    }
    await write('message', encodeMessage({type: 'collected'}));
  }).catch(() => undefined);
  let wire = '';
  machine.wire.on('data', (bytes: Buffer) => (wire += bytes.toString('latin1')));
  const closed = new Promise<void>((resolve) =>
    machine.wire.once('data', () => resolve()).once('close', () => resolve()),
  );
  void new Promise((resolve) => guest.once('close', resolve)).then(() => machine.end());
  machine.link.stderr.resume();
  await write('wire', resultFrame);
  await closed;
  machine.end();
  await sync.remove();
  return {problem: machine.problem, wire};
}

function connected(): readonly [Duplex, Duplex] {
  const end = (other: () => Duplex): Duplex =>
    new Duplex({
      read: () => undefined,
      write(chunk, _, done) {
        other().push(chunk);
        done();
      },
      destroy(error, done) {
        if (!other().destroyed) other().push(null);
        done(error);
      },
    });
  const first: Duplex = end(() => second);
  const second: Duplex = end(() => first);
  return [first, second];
}

function entry(path: string, rest: Partial<PackedEntry> = {}): PackedEntry {
  return {path: join(root, path), kind: 'file', mode: 0o644, size: 1, mtime_ns: '1', ...rest};
}

test('what the call may write is in its view before the result is out', async () => {
  const {problem, wire} = await receive([{entry: entry('out/new', {size: 4}), content: 'text'}]);
  expect(problem).toBeUndefined();
  expect(wire).toBe(resultFrame.toString('latin1'));
  expect(readFileSync(join(root, 'out/new'), 'utf8')).toBe('text');
});

const link = {kind: 'symlink', size: 0, link: '..'} as const;

test.each<readonly [string, () => readonly Attack[], RegExp]>([
  ['a path outside the grant', () => [{entry: entry('private'), content: 'x'}], /may not write/],
  [
    'a path that leaves it',
    () => [{entry: {...entry(''), path: `${root}/out/../../outside`}, content: 'x'}],
    /invalid/,
  ],
  ['a hidden path', () => [{entry: entry('out/hidden/a'), content: 'x'}], /may not write/],
  [
    'a path behind a symlink',
    () => [{entry: entry('out/a', link)}, {entry: entry('out/a/b'), content: 'x'}],
    /symlink|ENOTDIR/,
  ],
  ['the removal of a mount', () => [{entry: entry('out', {kind: 'gone', size: 0})}], /mounted/],
  [
    'the removal of a mount by another path',
    () => [{entry: {...entry('', {kind: 'gone', size: 0}), path: `${root}/out/`}}],
    /invalid/,
  ],
  ['more content than announced', () => [{entry: entry('out/a'), content: 'xyz'}], /content/],
  ['less content than announced', () => [{entry: entry('out/a', {size: 9}), content: 'x'}], /incomplete/],
  ['a negative size', () => [{entry: entry('out/a', {size: -1})}], /invalid/],
  ['a kind that does not exist', () => [{entry: entry('out/a', {kind: 'device' as 'file'})}], /invalid/],
  ['more bytes than the limit', () => [{entry: entry('out/a', {size: 2 ** 40})}], /write_bytes/],
])('%s ends the machine, and nothing is written outside', async (_what, attacks, problem) => {
  const received = await receive(attacks(), {write_bytes: 1024 ** 2});
  expect(received.problem).toMatch(problem);
  expect(received.wire).toBe('');
  expect(readdirSync(folder).toSorted()).toEqual(['outside', 'workspace']);
  expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('outside');
  expect(readdirSync(root)).toEqual(['out']);
  expect(readdirSync(join(root, 'out/hidden'))).toEqual([]);
});
