import {expect, test} from 'vitest';
import {trialFacts} from './trial-facts.ts';

const whole = {
  readCanary: false,
  written: [],
  interfaces: ['eth0'],
  seesHost: false,
  environment: [],
  capabilities: [],
  noNewPrivileges: true,
  isFiltered: true,
  unshared: false,
  kernel: '4.4.0',
  openFilesBound: true,
  fileSizeBound: true,
};

test('the whole result of a trial is read', () => {
  expect(trialFacts(`${JSON.stringify(whole)}\n`)).toEqual(whole);
});

test.each(['', 'hello', 'null', '[]', '{}', '{"readCanary":false}'])('%j is not the result of a trial', (printed) => {
  expect(trialFacts(printed)).toBeUndefined();
});

test.each(Object.keys(whole))('a result without `%s` is not one', (name) => {
  expect(trialFacts(JSON.stringify({...whole, [name]: undefined}))).toBeUndefined();
  expect(trialFacts(JSON.stringify({...whole, [name]: null}))).toBeUndefined();
});
