import {describe, expect, it} from 'vitest';
import {readCoverage} from './read-coverage.ts';

describe('readCoverage', () => {
  it.each([
    ['lcov', 'SF:a.ts\nLF:10\nLH:9\nend_of_record\nSF:b.ts\r\nLF:10\r\nLH:6\r\nend_of_record\n', 75],
    ['Istanbul', '{"total": {"lines": {"total": 8, "covered": 5, "pct": 62.5}}}', 62.5],
    ['Cobertura', '<?xml version="1.0"?><coverage branch-rate="0.1" line-rate="0.5" version="1"/>', 50],
    [
      'JaCoCo',
      '<report name="x"><package><counter type="LINE" missed="9" covered="1"/></package><counter type="LINE" missed="1" covered="3"/></report>',
      75,
    ],
    ['Go', 'mode: set\nx/a.go:1.2,3.4 3 1\nx/a.go:5.2,6.4 1 0\n', 75],
  ])('%s', (_, text, percent) => expect(readCoverage(text)).toBe(percent));

  it.each(['', 'no report', '{', '{"total": {}}', 'LF:0\nLH:0\n', '<report></report>', '<coverage/>', 'mode: set\n'])(
    'is none: %j',
    (text) => expect(readCoverage(text)).toBeUndefined(),
  );
});
