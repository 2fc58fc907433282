import {expect, test} from 'vitest';
import {allowedTools} from './allowed-tools.ts';

test('names and namespaces are those of the client or of the workspace', () => {
  const entries = ['file_read', 'file:read', 'file_read_all', 'file_*', 'file:*', '*'];
  expect(allowedTools(entries)).toEqual({
    ok: true,
    value: ['file:read', 'file:read', 'file:read-all', 'file:*', 'file:*', '*'],
  });
});

test.each(['file_re*', '_*', '**', 'a b', 'file*', ''])('`%s` is none', (entry) => {
  expect(allowedTools(['*', entry])).toEqual({ok: false, problem: entry});
});
