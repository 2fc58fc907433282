import {expect, test} from 'vitest';
import {loadError} from './runner-image.ts';

const full = 'write /usr/bin/node: no space left on "device"';

test.each([
  ['in the only line', {errorDetail: {message: full}, error: full}],
  ['after other lines', `{"stream":"Loading"}\n${JSON.stringify({errorDetail: {message: full}, error: full})}`],
])('an error %s of an answer that reports success is found', (_, answer) => {
  expect(loadError(answer)).toBe(full);
});

test.each(['', '{"stream":"Loaded image: lumenflow-runner:1"}', {stream: 'an error'}])('%j reports none', (answer) => {
  expect(loadError(answer)).toBeUndefined();
});
