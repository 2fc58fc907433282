import {describe, expect, it} from 'vitest';
import {renderFailure} from './render-failure.ts';
import {createStyle} from './style.ts';

const plain = createStyle({colour: false, width: 80});

describe('renderFailure', () => {
  it('says what, which rule, where and what to do', () => {
    const details = {rule_id: 'no-write', layer: 'lane', where: 'workspace.yaml:3:7', remedy: 'ask'};
    expect(renderFailure({code: 'POLICY_DENIED', message: 'policy denies it', details}, {}, plain)).toBe(
      [
        '✘ POLICY_DENIED  policy denies it',
        '  rule   no-write (layer lane)',
        '  where  workspace.yaml:3:7',
        '  fix    ask',
      ].join('\n'),
    );
  });

  it('shows the last lines that a program printed', () => {
    const failure = {code: 'CLI_FAILED', message: 'no', details: {stderr: 'fatal: not a git repository\n'}};
    expect(renderFailure(failure, {}, plain)).toBe('✘ CLI_FAILED  no\n  stderr  fatal: not a git repository');
  });

  it('shows the issues of an input, and the next steps', () => {
    const failure = {
      code: 'INVALID_INPUT',
      message: 'no',
      details: {issues: [{pointer: '', message: '`a` is missing'}]},
    };
    const next = [{to: 'show its input', command: 'lumenflow tools show x'}];
    expect(renderFailure(failure, {next}, plain)).toBe(
      [
        '✘ INVALID_INPUT  no',
        '  issues  (the input)  `a` is missing',
        '  show its input:',
        '    lumenflow tools show x',
      ].join('\n'),
    );
  });

  it('shows the issues that the message names once', () => {
    const issues = [
      {pointer: '', message: '`a` is missing'},
      {pointer: '/b', message: 'unknown key `b`'},
    ];
    const message = 'step 2: the input of `x:y` does not match its schema: `a` is missing; /b unknown key `b`';
    expect(renderFailure({code: 'INVALID_INPUT', message, details: {issues}}, {}, plain)).toBe(
      [
        '✘ INVALID_INPUT  step 2: the input of `x:y` does not match its schema',
        '  issues  (the input)  `a` is missing',
        '          /b  unknown key `b`',
      ].join('\n'),
    );
    const cut = {code: 'INVALID_INPUT', message: 'no: `a` is missing; …', details: {issues}};
    expect(renderFailure(cut, {}, plain)).toContain('no: `a` is missing; …\n  issues');
  });

  it('does not repeat a fix that the message ends with', () => {
    expect(renderFailure({code: 'X', message: 'gone: mend it'}, {help: 'mend it'}, plain)).toBe('✘ X  gone: mend it');
  });

  it('lets nothing through that a terminal acts on', () => {
    const details = {where: '\u001b[2J', remedy: '\u0007', rule_id: '\u009b'};
    const reported = renderFailure({code: '\u001b', message: '\u001b]0;x\u0007', details}, {}, plain);
    expect(reported).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});
