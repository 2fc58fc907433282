import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {trialOutput} from './trial-output.ts';

test('a trial that does not finish is ended, and the reason is its time', async () => {
  let end: (exitCode: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = resolve)).then((exitCode) => ({exitCode}));
  const streams = {stdout: new PassThrough(), stderr: new PassThrough()};
  streams.stderr.write('last words\n');
  expect(await trialOutput({...streams, ended, kill: () => end(137)}, 20)).toEqual({
    exitCode: 137,
    printed: '',
    said: 'it did not finish within 0.02 s',
  });
});

test('a trial that fails is reported with its first line on stderr', async () => {
  const streams = {stdout: new PassThrough(), stderr: new PassThrough()};
  streams.stdout.end('{}');
  streams.stderr.end('reason\nmore\n');
  const ended = new Promise<{exitCode: number}>((resolve) => setImmediate(() => resolve({exitCode: 1})));
  expect(await trialOutput({...streams, ended, kill: () => undefined}, 60_000)).toEqual({
    exitCode: 1,
    printed: '{}',
    said: 'reason',
  });
});
