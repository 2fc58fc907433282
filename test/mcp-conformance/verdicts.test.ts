import {expect, test} from 'vitest';
import {readVerdicts} from './verdicts.ts';

const report = `
✓ tools-list: 4 passed, 0 failed
\u001B[31m✗\u001B[0m ping: 1 passed, 1 failed
✗ tasks-lifecycle: 1 passed, 8 failed

Total: 6 passed, 9 failed

Not scored for 2026-07-28: 1 scenario(s) run, 1 failing.
  ✗ tasks-lifecycle (extension)
`;

test('a report is read scenario by scenario, what is not required apart', () => {
  expect(readVerdicts(report)).toEqual({
    passed: ['tools-list'],
    failed: ['ping'],
    notScored: ['✗ tasks-lifecycle (extension)'],
  });
});

test('text that is not a report has no verdicts', () => {
  expect(readVerdicts('TypeError: fetch failed')).toEqual({passed: [], failed: [], notScored: []});
});
