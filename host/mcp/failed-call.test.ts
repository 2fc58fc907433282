import {expect, test} from 'vitest';
import {failedCall} from './failed-call.ts';

test('the text says what the program printed last, and what to do', () => {
  const stderr = `${'noise\n'.repeat(20)}fatal: not a git repository\n`;
  const {content} = failedCall({code: 'CLI_FAILED', message: 'it failed', remedy: 'look', details: {stderr}});
  const [{text = ''} = {}] = content as readonly {readonly text?: string}[];
  expect(text).toMatch(/^CLI_FAILED: it failed\n(?:noise\n){7}fatal: not a git repository\nlook$/u);
});

test('a request for approval is linked', () => {
  const {content} = failedCall({
    code: 'APPROVAL_REQUIRED',
    message: 'wait',
    details: {request_id: 'apr-1', stderr: ''},
  });
  expect(content).toMatchObject([{text: 'APPROVAL_REQUIRED: wait'}, {uri: 'approval://apr-1'}]);
});
