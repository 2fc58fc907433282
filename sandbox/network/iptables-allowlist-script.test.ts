import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {buildIptablesAllowlistScript} from './iptables-allowlist-script.ts';

/** What a shell makes of the script: the words of each command. */
async function wordsOf(script: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-iptables-'));
  for (const name of ['iptables', 'ip6tables']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s|' ${name} "$@"\necho\n`, {mode: 0o755});
  }
  const {stdout, stderr} = await createSpawnExecutor().run({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: folder,
    env: {PATH: `${folder}:/bin:/usr/bin`},
    outputSink: {kind: 'capture', maxBytes: 100_000},
  });
  rmSync(folder, {recursive: true});
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

test('starts closed, then accepts loopback, established traffic and the entries, then rejects', async () => {
  const script = buildIptablesAllowlistScript(['api.test:443', '10.0.0.0/8', '[fd00::1]:22']);
  expect(await wordsOf(script)).toEqual([
    'iptables|-P|OUTPUT|DROP|',
    'ip6tables|-P|OUTPUT|DROP|',
    'iptables|-A|OUTPUT|-o|lo|-j|ACCEPT|',
    'ip6tables|-A|OUTPUT|-o|lo|-j|ACCEPT|',
    'iptables|-A|OUTPUT|-m|conntrack|--ctstate|ESTABLISHED,RELATED|-j|ACCEPT|',
    'ip6tables|-A|OUTPUT|-m|conntrack|--ctstate|ESTABLISHED,RELATED|-j|ACCEPT|',
    'iptables|-A|OUTPUT|-d|api.test|-p|tcp|--dport|443|-j|ACCEPT|',
    'ip6tables|-A|OUTPUT|-d|api.test|-p|tcp|--dport|443|-j|ACCEPT|',
    'iptables|-A|OUTPUT|-d|10.0.0.0/8|-j|ACCEPT|',
    'ip6tables|-A|OUTPUT|-d|fd00::1/128|-p|tcp|--dport|22|-j|ACCEPT|',
    'iptables|-A|OUTPUT|-p|tcp|-j|REJECT|--reject-with|tcp-reset|',
    'ip6tables|-A|OUTPUT|-p|tcp|-j|REJECT|--reject-with|tcp-reset|',
    'iptables|-A|OUTPUT|-j|REJECT|',
    'ip6tables|-A|OUTPUT|-j|REJECT|',
  ]);
});

test.each(['api.test:443; id', '$(id):443', '`id`:443', 'api.test:443\nid', '-j ACCEPT', '*.test:443', ''])(
  '%j is refused',
  (entry) => {
    expect(() => buildIptablesAllowlistScript(['api.test:443', entry])).toThrow(RangeError);
  },
);

test('any entry is refused or adds exactly its own characters to an ACCEPT', () => {
  const plain = buildIptablesAllowlistScript([]).split('\n');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9.:/;$`'" -]{1,20}:[0-9]{1,3}$/)), (entry) => {
      let script: string;
      try {
        script = buildIptablesAllowlistScript([entry]);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return;
      }
      const added = script.split('\n').filter((line) => !plain.includes(line));
      for (const line of added)
        expect(line).toMatch(/^ip6?tables -A OUTPUT -d [a-z0-9.:/-]+( -p tcp --dport \d+)? -j ACCEPT( \|\| :)?$/);
    }),
  );
});
