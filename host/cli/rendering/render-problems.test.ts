import {describe, expect, it} from 'vitest';
import {renderProblems} from './render-problems.ts';
import {createStyle} from './style.ts';

describe('renderProblems', () => {
  it('groups by file, in order of place, each with its fix', () => {
    const reported = renderProblems(
      [
        {code: 'B', severity: 'error', message: 'second', where: 'workspace.yaml:10:3', help: 'do that'},
        {code: 'A', severity: 'error', message: 'first', where: 'workspace.yaml:9:1', pointer: '/lanes'},
        {code: 'C', severity: 'warning', message: 'other file', where: 'manifest.yaml'},
      ],
      createStyle({colour: false, width: 80}),
    );
    expect(reported).toBe(
      [
        '  ✘ workspace.yaml:9:1 A /lanes',
        '    first',
        '  ✘ workspace.yaml:10:3 B',
        '    second',
        '    fix: do that',
        '',
        '  ! manifest.yaml C',
        '    other file',
      ].join('\n'),
    );
  });
});
