import {expect, test} from 'vitest';
import {baseEnv} from './base-env.ts';

test('Node leads the path unless the system has it there, and nothing else is of the host', () => {
  expect(baseEnv({nodePath: '/opt/node/bin/node'})['PATH']).toMatch(/^\/opt\/node\/bin:\/usr\/local\/sbin:/);
  expect(baseEnv({nodePath: '/usr/bin/node'})['PATH']).not.toMatch(/^\/usr\/bin:/);
  expect(Object.keys(baseEnv({nodePath: '/usr/bin/node'})).toSorted()).toEqual([
    'GIT_CONFIG_COUNT',
    'GIT_CONFIG_KEY_0',
    'GIT_CONFIG_VALUE_0',
    'GIT_TERMINAL_PROMPT',
    'HOME',
    'LANG',
    'PATH',
    'TERM',
    'TMPDIR',
    'TZ',
  ]);
});

test.each(['Europe/Zurich', 'America/Argentina/Ushuaia', 'UTC'])('a host in %s names its time zone', (zone) => {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    expect(baseEnv({nodePath: '/usr/bin/node'})['TZ']).toBe(zone);
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
});
