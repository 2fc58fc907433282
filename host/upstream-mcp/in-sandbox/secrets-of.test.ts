// What of a server's words reaches the caller when it repeats credentials.
import {expect, test} from 'vitest';
import {hideSecrets} from '../../secrets/hide-secrets.ts';
import {fillHeaders} from '../header-variables.ts';
import {secretsOf} from './secrets-of.ts';

const headers = {Authorization: 'Bearer ${TOKEN}', 'X-Key': '${KEY}'};
const env = {TOKEN: 'a-long-token', KEY: 'short', OTHER: 'another-value'};

test('credentials are replaced wherever they occur, and nothing else is', () => {
  const secrets = secretsOf({headers}, env);
  const said = {
    'a-long-token': ['x a-long-token y', {deep: 'Bearer a-long-token'}],
    kept: ['short', 'another-value', 1, null],
  };
  expect(hideSecrets(said, secrets)).toEqual({
    '[TOKEN]': ['x [TOKEN] y', {deep: 'Bearer [TOKEN]'}],
    kept: ['short', 'another-value', 1, null],
  });
  expect(hideSecrets(said, [])).toBe(said);
});

test('variables are filled into headers', () => {
  expect(fillHeaders(headers, env)).toEqual({Authorization: 'Bearer a-long-token', 'X-Key': 'short'});
});
