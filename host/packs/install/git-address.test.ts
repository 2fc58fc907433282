import {expect, test} from 'vitest';
import {gitAddress, isGitRef} from './git-address.ts';

test.each([
  ['https://example.com/a.git', 'https', 'https://example.com/a.git'],
  ['http://localhost:8080/a', 'http', 'http://localhost:8080/a'],
  ['http://[::1]:8080/a', 'http', 'http://[::1]:8080/a'],
  ['ssh://git@example.com/a', 'ssh', 'ssh://git@example.com/a'],
  ['git@example.com:acme/a.git', 'ssh', 'git@example.com:acme/a.git'],
  ['file:///srv/a', 'file', 'file:///srv/a'],
  ['../a', 'file', '/work/a'],
  ['./odd:name', 'file', '/work/ws/odd:name'],
  ['/srv/a', 'file', '/srv/a'],
])('%s is fetched by %s', (url, protocol, given) => {
  expect(gitAddress(url, '/work/ws')).toEqual({ok: true, value: {url: given, protocol}});
});

test.each([
  ['--upload-pack=touch x', 'is not a valid repository address'],
  ['-oProxyCommand=x', 'is not a valid repository address'],
  ['https://example.com/a b', 'is not a valid repository address'],
  ['a\nb', 'is not a valid repository address'],
  ['ext::sh -c id', 'is not a valid repository address'],
  ['ext::id', 'run a helper program'],
  ['EXT::id', 'run a helper program'],
  ['fd::3', 'run a helper program'],
  ['git@-oProxyCommand=x:a', 'names no host'],
  ['ssh://-oProxyCommand=x/a', 'no'],
  ['http://example.com/a', 'cannot be used to fetch'],
  ['http://localhost.example.com/a', 'cannot be used to fetch'],
  ['git://example.com/a', 'cannot be used to fetch'],
  ['ftp://example.com/a', 'cannot be used to fetch'],
  ['https://user@example.com/a', 'contains credentials'],
  ['https://u:p@example.com/a', 'contains credentials'],
  ['ssh://u:p@example.com/a', 'contains credentials'],
  ['https://', 'is not a valid URL'],
])('%j is refused', (url, message) => {
  expect(gitAddress(url, '/work/ws')).toMatchObject({
    problem: {
      code: 'PACK_SOURCE_REFUSED',
      message: expect.stringContaining(message) as string,
      help: expect.stringMatching(/./u) as string,
    },
  });
});

test.each(['main', 'v1.0.0', 'refs/tags/v1', 'feature/a+b', '_x', '@acme'.slice(1), 'a'.repeat(40)])(
  '%s is a ref',
  (ref) => {
    expect(isGitRef(ref)).toBe(true);
  },
);

test.each(['', '-x', '--upload-pack=x', '+main', 'main:other', 'a..b', 'a^', 'a~1', 'a@{1}', '*', 'a b', 'a\n'])(
  '%j is no ref',
  (ref) => {
    expect(isGitRef(ref)).toBe(false);
  },
);
