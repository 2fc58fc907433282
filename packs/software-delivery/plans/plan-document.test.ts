import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {approvedText, editSection, emptySections, readPlanHead, setPlanHead, writePlan} from './plan-document.ts';
import {slugOf} from './plan-file.ts';

const head = {title: 'Faster: "search"', status: 'draft', links: []} as const;
const plan = writePlan(head, [
  {heading: 'Goal', body: 'Ten times.'},
  {heading: 'Own', body: '```sh\n## no heading\n```\n\nmore'},
]);

describe('a plan', () => {
  it('has front matter, a title, and all sections, in order', () => {
    expect(readPlanHead(plan)).toEqual(head);
    expect(plan).toContain('---\n\n# Faster: "search"\n\n## Goal\n\nTen times.\n\n## Context\n\n## Approach\n');
    expect(plan.endsWith('## Own\n\n```sh\n## no heading\n```\n\nmore\n')).toBe(true);
    expect(emptySections(plan)).toEqual(['Approach', 'Success criteria']);
  });

  it('is changed in one section, regardless of code blocks', () => {
    const edited = editSection(plan, {heading: 'Own', body: 'new'}, 'replace');
    expect(edited).toBe(plan.replace('```sh\n## no heading\n```\n\nmore', 'new'));
    expect(editSection(plan, {heading: 'Goal', body: 'Or more.'}, 'append')).toBe(
      plan.replace('Ten times.', 'Ten times.\n\nOr more.'),
    );
    expect(editSection(plan, {heading: 'Goal', body: ''}, 'remove')).toBe(
      plan.replace('## Goal\n\nTen times.\n\n', ''),
    );
    expect(editSection(plan, {heading: 'Later', body: 'x'}, 'append')).toBe(`${plan}\n## Later\n\nx\n`);
    expect(() => editSection(plan, {heading: 'no heading', body: ''}, 'remove')).toThrow(
      expect.objectContaining({code: 'SECTION_NOT_FOUND'}),
    );
  });

  it('preserves the bytes of all other sections, including line endings', () => {
    const body = fc.array(
      fc.constantFrom('a line', '', '### deeper', '~~~', '```js', '`## x`', '  ## indented', 'ünï'),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(body, fc.constantFrom('\n', '\r\n'), (lines, eol) => {
        const before = `---${eol}title: t${eol}own: kept # as it is${eol}---${eol}${eol}# t${eol}${eol}## First${eol}one${eol}`;
        const rest = `## Last${eol}${lines.join(eol)}${eol}`;
        expect(editSection(before + rest, {heading: 'First', body: 'two'}, 'replace')).toBe(
          `${before.replace(`## First${eol}one${eol}`, `## First${eol}${eol}two${eol}`)}${eol}${rest}`,
        );
        expect(setPlanHead(before + rest, {status: 'approved'})).toBe(
          (before + rest).replace(`own: kept # as it is${eol}`, `own: kept # as it is${eol}status: approved${eol}`),
        );
      }),
    );
  });

  it('is equal for an approval, regardless of its links', () => {
    expect(approvedText(setPlanHead(plan, {links: ['WU-1']}))).toBe(approvedText(plan));
    expect(approvedText(editSection(plan, {heading: 'Goal', body: 'x'}, 'replace'))).not.toBe(approvedText(plan));
  });

  it.each(['# no front matter', '---\ntitle: x', '---\n- a list\n---\n', '---\na: b: c\n---\n', 'x\n---\na: b\n---\n'])(
    'is not %j',
    (text) => {
      expect(() => readPlanHead(text)).toThrow(expect.objectContaining({code: 'INVALID_PLAN'}));
    },
  );
});

describe('the id of a plan', () => {
  it.each([
    ['Größer & schöner!', 'grosser-schoner'],
    ['  --x--  ', 'x'],
    ['計画', ''],
    ['a'.repeat(80), 'a'.repeat(60)],
    [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
  ])('of %j is %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });
});
