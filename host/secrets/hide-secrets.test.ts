import {expect, it} from 'vitest';
import {hideSecrets, redacted} from './hide-secrets.ts';

const secret = 'k&y=1/2 3';

it('hides a secret in keys and values, also where it is encoded', () => {
  const value = {
    [secret]: [`Bearer ${secret}`, 7, null, {url: `https://a.example/?key=${encodeURIComponent(secret)}`}],
    basic: Buffer.from(secret).toString('base64'),
  };
  expect(hideSecrets(value, redacted([secret]))).toEqual({
    '[redacted]': ['Bearer [redacted]', 7, null, {url: 'https://a.example/?key=[redacted]'}],
    basic: '[redacted]',
  });
});

it('hides the longest secret first', () => {
  expect(hideSecrets('prefix-suffix', redacted(['prefix', 'prefix-suffix']))).toBe('[redacted]');
});

it('leaves ordinary text alone', () => {
  expect(hideSecrets({a: 'a1 is a name'}, redacted(['a1', '']))).toEqual({a: 'a1 is a name'});
});
