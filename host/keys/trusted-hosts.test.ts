import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeNamedKey} from './named-key.ts';
import {TrustedHosts} from './trusted-hosts.ts';

let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-trusted-'));
  file = join(root, 'worker', 'trusted-hosts');
});
afterEach(() => rmSync(root, {recursive: true}));

const newLine = (name: string): string => makeNamedKey(name).verifierKey;
const idOf = (line: string): string => line.split('+', 2).join('+');

test('a running worker sees what another process trusts and no longer trusts', async () => {
  const [running, command] = [new TrustedHosts(file), new TrustedHosts(file)];
  const [one, two] = [newLine('laptop'), newLine('ci')];
  expect([...running.keys().keys()]).toEqual([]);
  expect(await command.trust(one)).toEqual({ok: true, value: {id: idOf(one), isNew: true}});
  expect(await command.trust(two)).toMatchObject({value: {isNew: true}});
  expect(await command.trust(two)).toMatchObject({value: {isNew: false}});
  expect([...running.keys().keys()]).toEqual([idOf(one), idOf(two)]);
  expect(running.keys().get(idOf(one))?.asymmetricKeyType).toBe('ed25519');
  expect(await command.untrust('laptop')).toEqual({ok: true, value: [idOf(one)]});
  expect([...running.keys().keys()]).toEqual([idOf(two)]);
  expect(await command.untrust('tw')).toMatchObject({ok: false});
  expect(await command.untrust(idOf(two))).toEqual({ok: true, value: [idOf(two)]});
  expect(running.keys().size).toBe(0);
});

test('a host has two keys during a rotation, and its old one is removed by id', async () => {
  const hosts = new TrustedHosts(file);
  const [old, next] = [newLine('laptop'), newLine('laptop')];
  for (const line of [old, next]) await hosts.trust(line);
  expect(await hosts.untrust(idOf(old))).toEqual({ok: true, value: [idOf(old)]});
  expect([...hosts.keys().keys()]).toEqual([idOf(next)]);
});

test('what is not a key, or not trusted, is reported', async () => {
  const hosts = new TrustedHosts(file);
  const line = newLine('laptop');
  const wrong = line.replace(/.=?=?$/u, 'A');
  for (const text of ['', 'laptop', wrong, `${line}\n`]) {
    expect(await hosts.trust(text)).toMatchObject({problem: {message: `\`${text}\` is not a public key`}});
  }
  expect(await hosts.untrust('ci')).toMatchObject({problem: {help: 'the worker trusts no host'}});
  await hosts.trust(line);
  expect(await hosts.untrust(line)).toMatchObject({ok: true});
  await hosts.trust(line);
  expect(await hosts.untrust('ci')).toMatchObject({problem: {help: `name one of these: ${idOf(line)}`}});
});

test('of commands at the same time, none loses the change of another', async () => {
  const gone = newLine('gone');
  await new TrustedHosts(file).trust(gone);
  const added = Array.from({length: 8}, (_, index) => newLine(`host-${index}`));
  const trusted = added.map(async (line) => await new TrustedHosts(file).trust(line));
  await Promise.all([new TrustedHosts(file).untrust('gone'), ...trusted]);
  expect(new TrustedHosts(file).lines().toSorted()).toEqual(added.toSorted());
});

test('a host is trusted again, also after a line without an end', async () => {
  const hosts = new TrustedHosts(file);
  const [one, two] = [newLine('one'), newLine('two')];
  await hosts.trust(one);
  await hosts.untrust('one');
  await hosts.trust(one);
  writeFileSync(file, one);
  await hosts.trust(two);
  expect(hosts.lines()).toEqual([one, two]);
  expect([...hosts.keys().keys()]).toEqual([idOf(one), idOf(two)]);
});

test('a line that is not a key trusts nobody', () => {
  const hosts = new TrustedHosts(join(root, 'trusted-hosts'));
  const line = newLine('laptop');
  writeFileSync(join(root, 'trusted-hosts'), `# a comment\n${line}\nnonsense\n`);
  expect([...hosts.keys().keys()]).toEqual([idOf(line)]);
});
