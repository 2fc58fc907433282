import {expect, it} from 'vitest';
import {clientText} from './client-text.ts';

const names = new Set(['wu:claim', 'wu:check-out', 'gates']);

it.each([
  ['claim it with `wu:claim`', 'claim it with `wu_claim`'],
  ['The token from wu:claim.', 'The token from wu_claim.'],
  ['`wu:check-out`, then `gates`', '`wu_check_out`, then `gates`'],
  ['wu:check-out', 'wu_check_out'],
])('`%s` becomes `%s`', (text, expected) => {
  expect(clientText(text, names)).toBe(expected);
});

it.each([
  'run `lumenflow tools call wu:claim`',
  "add it to `delivery.tools`, for example `tools: [core, 'wu:claim']`",
  'wu:claims and wu:claim-x are not tools',
  'at docs/wu:claim or http:wu:claim',
  '`wu:*` matches them',
])('`%s` stays as it is', (text) => {
  expect(clientText(text, names)).toBe(text);
});
