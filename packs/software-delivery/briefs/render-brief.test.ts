import {expect, test} from 'vitest';
import {claimed, created, given, specOf} from '../work-units/work-unit-events.fixture.ts';
import type {Gate} from '../gates/plan-gates.ts';
import {renderBrief} from './render-brief.ts';

const gate: Gate = {name: 'test', command: 'npm test', timeout_ms: 1, optional: false, source: 'config'};
const unit = given(created(1), claimed(1, 7)).units['WU-1'];
if (unit === undefined) throw new Error('no unit');

test('a brief contains the whole spec and the rules for its holder', () => {
  const spec = specOf(1, {
    acceptance: ['a\nb'],
    code_paths: ['src/**', 'a`b'],
    tests: {unit: ['a.test.ts'], manual: ['look']},
    depends_on: ['WU-2', 'WU-3'],
    initiative: 'I-1',
    phase: 2,
    spec_refs: ['docs/plan.md'],
    risk: 'low',
    exposure: 'api',
  });
  const gates = [gate, {...gate, name: 'links', optional: true}];
  expect(renderBrief({spec, unit, gates, memory: 'Remember this.\n'})).toBe(`# WU-1: Unit 1

- Lane: core
- Type: feature
- Priority: P2
- Status: in_progress
- Exposure: api
- Risk: low
- Initiative: I-1, phase 2
- Depends on: WU-2, WU-3
- Worktree: worktrees/wu-1
- Branch: lane/core/wu-1
- Spec: SHA-256 hash-1

## Why and what

Context, problem and solution, in at least fifty characters of prose.

## Acceptance

- [ ] a
  b

## Files you may change

- \`src/**\`
- a\`b

## Tests

- unit: a.test.ts
- manual: look

## Read first

- \`docs/plan.md\`

## Gates

- test: \`npm test\`
- links (optional): \`npm test\`

## Rules

- Paths of file, git and gates tools are relative to the worktree; you must not change anything outside it.
- \`wu:prep\`, \`wu:done\`, \`wu:block\` and \`wu:release\` need your lease token, which is 7 and lasts until 2026-01-01T01:00:00.000Z and is renewed by each call here.
- When the acceptance criteria are met: commit, \`wu:prep\` with id WU-1, then \`wu:done\`. LumenFlow rejects the completion until every gate has passed on this exact tree.
- Blocked or unsure: \`wu:block\` or \`wu:escalate\` with the reason. Do not work around it.

## Memory

Remember this.
`);
});

test('a brief reports what is missing', () => {
  const brief = renderBrief({spec: specOf(1, {code_paths: []}), unit, gates: []});
  expect(brief).toContain('None: this work unit changes no code.');
  expect(brief).toContain('None is configured. `wu:done` fails until there is one.');
  expect(brief).not.toContain('## Tests');
});
