import {describe, expect, test} from 'vitest';
import {meetEntries, parseNetworkEntry} from './network-entry.ts';
import type {NetworkEntry} from './network-entry.ts';

function entry(text: string): NetworkEntry {
  const parsed = parseNetworkEntry(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problem.message}`);
  return parsed.value;
}

describe('an entry is read in canonical form', () => {
  test.each([
    ['api.example.com:443', 'api.example.com:443'],
    ['API.Example.COM.:443', 'api.example.com:443'],
    ['*.example.com:8080', '*.example.com:8080'],
    ['localhost:1', 'localhost:1'],
    ['xn--bcher-kva.example:65535', 'xn--bcher-kva.example:65535'],
    ['3com.example:80', '3com.example:80'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.0.0.0/8:443', '10.0.0.0/8:443'],
    ['10.1.2.3:443', '10.1.2.3:443'],
    ['10.1.2.3/32:443', '10.1.2.3:443'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:db8::/32:443', '2001:db8::/32:443'],
    ['[2001:db8::]/32:443', '2001:db8::/32:443'],
    ['[2001:db8::1]:443', '[2001:db8::1]:443'],
    ['[2001:0:0:1:0:0:0:1]/128', '2001:0:0:1::1/128'],
    ['2001:db8:1:2:3:4:5:6/128', '2001:db8:1:2:3:4:5:6/128'],
    ['::/0', '::/0'],
    ['1::/16', '1::/16'],
    ['[::ffff:10.0.0.1]:80', '10.0.0.1:80'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['64:ff9b::10.0.0.1/128', '64:ff9b::a00:1/128'],
    ['fe80::/10', 'fe80::/10'],
  ])('%s', (written, text) => {
    expect(entry(written).text).toBe(text);
    expect(entry(text)).toEqual(entry(written));
  });
});

describe('an invalid entry is rejected with its position', () => {
  test.each([
    ['', 0],
    ['example.com', 11],
    ['example.com:', 12],
    ['example.com:0', 12],
    ['example.com:65536', 12],
    ['example.com:080', 12],
    ['example.com:80:90', 0],
    ['example.com:443;reboot', 15],
    ['$(id):443', 0],
    ['a b:443', 1],
    ['`id`:1', 0],
    ['a|b:1', 1],
    ['bücher.example:443', 1],
    ['ex_ample:443', 2],
    ['-a.example:443', 0],
    ['a-.example:443', 0],
    ['a..b:443', 0],
    [`${'a'.repeat(64)}.example:443`, 0],
    [`${'a.'.repeat(130)}a:443`, 0],
    ['*:443', 0],
    ['*.*.example:443', 0],
    ['a.*.example:443', 0],
    ['*example.com:443', 0],
    ['*.10.0.0.1:443', 0],
    ['http://example.com:443', 0],
    ['example.com/24:443', 0],
    ['10.0.0.1', 8],
    ['::1', 3],
    ['10.0.0.1/8', 0],
    ['10.0.0.0/33', 0],
    ['10.0.0.0/08', 0],
    ['10.0.0.0/', 0],
    ['10.0.0.0/8:', 11],
    ['10.0.0/8', 0],
    ['10.0.0.256:80', 0],
    ['010.0.0.1:80', 0],
    ['127.1:80', 0],
    ['0x7f000001:80', 0],
    ['2130706433:80', 0],
    ['2001:db8::/129', 0],
    ['2001:db8::1/64', 0],
    ['2001::db8::/32', 0],
    ['1:2:3:4:5:6:7::8/128', 0],
    ['1:2:3/128', 0],
    ['12345::/128', 0],
    ['[::1]', 5],
    ['[10.0.0.1]:80', 0],
    ['[::1:80', 0],
    ['[example.com]:80', 0],
  ])('%s', (written, offset) => {
    const parsed = parseNetworkEntry(written);
    expect(parsed).toEqual({
      ok: false,
      problem: {offset, message: expect.stringMatching(/^(?:a|the|this) .* (?:is|has) /u), help: expect.any(String)},
    });
  });
});

describe('entries meet by what they mean', () => {
  test.each([
    ['a.example.com:443', 'a.example.com:443', 'a.example.com:443'],
    ['a.example.com:443', 'A.example.com.:443', 'a.example.com:443'],
    ['a.example.com:443', 'a.example.com:80', undefined],
    ['a.example.com:443', '*.example.com:443', 'a.example.com:443'],
    ['a.b.example.com:443', '*.example.com:443', 'a.b.example.com:443'],
    ['example.com:443', '*.example.com:443', undefined],
    ['badexample.com:443', '*.example.com:443', undefined],
    ['a.example.com:80', '*.example.com:443', undefined],
    ['*.b.example.com:443', '*.example.com:443', '*.b.example.com:443'],
    ['*.a.com:443', '*.b.com:443', undefined],
    ['10.1.0.0/16', '10.0.0.0/8', '10.1.0.0/16'],
    ['10.1.0.0/16', '10.0.0.0/8:443', '10.1.0.0/16:443'],
    ['10.1.2.3:443', '10.0.0.0/8', '10.1.2.3:443'],
    ['10.1.2.3:443', '10.1.2.3:80', undefined],
    ['10.1.0.0/16:443', '10.0.0.0/8:80', undefined],
    ['11.0.0.0/8', '10.0.0.0/8', undefined],
    ['10.0.0.0/8', '::/0', undefined],
    ['2001:db8:1::/48', '2001:db8::/32', '2001:db8:1::/48'],
    ['2001:db8::/31:22', '2001:db9::/32', '2001:db9::/32:22'],
    ['::ffff:10.0.0.1/128', '10.0.0.0/8', '10.0.0.1/32'],
    ['a.example.com:443', '0.0.0.0/0', undefined],
  ])('%s and %s', (a, b, met) => {
    expect(meetEntries(entry(a), entry(b))?.text).toBe(met);
    expect(meetEntries(entry(b), entry(a))?.text).toBe(met);
  });
});
