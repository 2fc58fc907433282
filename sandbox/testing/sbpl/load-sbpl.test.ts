// The evaluator against small texts whose meaning the language's documentation gives.
import {expect, test} from 'vitest';
import {loadSbpl} from './load-sbpl.fixture.ts';
import type {Query} from './sbpl-filter.fixture.ts';

const head = '(version 1)(deny default)';
const read = (path: string): Query => ({operation: 'file-read-data', path});
const to = (host: string, port: number, protocol: 'tcp' | 'udp' = 'tcp'): Query => ({
  operation: 'network-outbound',
  remote: {protocol, host, port},
});

test.each<[string, string, Query, 'allow' | 'deny']>([
  ['the default denies', '', read('/a'), 'deny'],
  ['the default may allow', '(allow default)', read('/a'), 'allow'],
  ['the last rule that matches decides', '(deny file-read* (subpath "/a"))(allow file-read*)', read('/a/b'), 'allow'],
  ['... either way', '(allow file-read*)(deny file-read* (subpath "/a"))', read('/a/b'), 'deny'],
  ['a rule for other operations does not match', '(allow file-read*)(deny file-write*)', read('/a'), 'allow'],
  ['a star stands for all that begin so', '(allow file*)', {operation: 'file-write-unlink', path: '/a'}, 'allow'],
  ['without a star it is one', '(allow file-read-metadata)', read('/a'), 'deny'],
  ['literal is the path', '(allow file-read* (literal "/a"))', read('/a'), 'allow'],
  ['... and nothing below', '(allow file-read* (literal "/a"))', read('/a/b'), 'deny'],
  ['subpath ends at a name', '(allow file-read* (subpath "/a"))', read('/ab'), 'deny'],
  ['subpath of the root', '(allow file-read* (subpath "/"))', read('/ab'), 'allow'],
  ['prefix does not', '(allow file-read* (prefix "/a"))', read('/ab'), 'allow'],
  ['regex is not anchored', '(allow file-read* (regex #"b+\\.c$"))', read('/a/bb.c'), 'allow'],
  ['an escape in a raw string is its own', '(allow file-read* (regex #"b\\.c"))', read('/bxc'), 'deny'],
  ['an escape in a string needs two', '(allow file-read* (regex "b\\\\.c"))', read('/b.c'), 'allow'],
  ['a regex sees bytes', '(allow file-read* (regex "^/[^/]$"))', read('/é'), 'deny'],
  ['one of several filters is enough', '(allow file-read* (literal "/a") (literal "/b"))', read('/b'), 'allow'],
  ['require-all', '(allow file-read* (require-all (subpath "/a") (subpath "/a/b")))', read('/a/c'), 'deny'],
  ['require-any', '(allow file-read* (require-any (literal "/a") (literal "/c")))', read('/c'), 'allow'],
  ['require-not', '(allow file-read* (require-not (subpath "/a")))', read('/a/c'), 'deny'],
  ['a quote in a string', '(allow file-read* (literal "/a\\"\\\\b"))', read('/a"\\b'), 'allow'],
  ['a comment', '; (allow file-read*)\n', read('/a'), 'deny'],
  ['a parameter', '(allow file-read* (subpath (string-append (param "HOME") "/x")))', read('/me/x/y'), 'allow'],
  ['any host', '(allow network-outbound (remote ip "*:443"))', to('203.0.113.1', 443), 'allow'],
  ['... at that port', '(allow network-outbound (remote ip "*:443"))', to('203.0.113.1', 80), 'deny'],
  ['localhost', '(allow network-outbound (remote tcp "localhost:*"))', to('127.0.0.1', 80), 'allow'],
  ['... and no other', '(allow network-outbound (remote tcp "localhost:*"))', to('10.0.0.1', 80), 'deny'],
  ['... by that protocol', '(allow network-outbound (remote tcp "localhost:*"))', to('::1', 80, 'udp'), 'deny'],
  ['a target', '(allow signal (target same-sandbox))', {operation: 'signal', target: 'others'}, 'deny'],
  ['... itself among them', '(allow signal (target same-sandbox))', {operation: 'signal', target: 'self'}, 'allow'],
  ['a service', '(allow mach-lookup (global-name "a"))', {operation: 'mach-lookup', name: 'b'}, 'deny'],
  ['a prefix', '(allow sysctl-read (sysctl-name-prefix "hw."))', {operation: 'sysctl-read', name: 'hw.x'}, 'allow'],
])('%s', (_, rules, query, verdict) => {
  expect(loadSbpl(head + rules, {HOME: '/me'})(query)).toBe(verdict);
});

test.each([
  ['(deny default)', 'begins with'],
  ['(version 1)(allow file-reed*)', 'unknown operation'],
  ['(version 1)(allow file-read-all)', 'unknown operation'],
  ['(version 1)(permit file-read*)', 'unknown form'],
  ['(version 1)(allow file-read* (glob "/a"))', 'unknown filter'],
  ['(version 1)(allow file-read* (subpath "/a/"))', 'subpath'],
  ['(version 1)(allow file-read* (subpath "a"))', 'subpath'],
  ['(version 1)(allow file-read* (subpath (param "X")))', 'no string'],
  ['(version 1)(allow file-read* "/a")', 'is no filter'],
  ['(version 1)(allow file-read* (regex "a{2}"))', 'not in the language'],
  ['(version 1)(allow file-read* (regex "\\\\d"))', 'not in the language'],
  ['(version 1)(allow file-read* (regex "(?=a)"))', 'not in the language'],
  ['(version 1)(allow network-outbound (remote ip "10.0.0.1:80"))', 'unknown remote'],
  ['(version 1)(allow file-read* (literal "/a\nb"))', 'not closed'],
  ['(version 1)(allow file-read* (literal "/a\\nb"))', 'unknown escape'],
  ['(version 1)(allow file-read*', 'not closed'],
  ['(version 1))', 'unexpected'],
])('%j is refused', (text, problem) => {
  expect(() => loadSbpl(text)).toThrow(problem);
});
