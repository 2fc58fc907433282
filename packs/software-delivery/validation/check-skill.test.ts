import {describe, expect, it} from 'vitest';
import {checkSkill} from './check-skill.ts';

const check = (front: string, body = '# Do it\n', folder = 'code-review') =>
  checkSkill({folder, path: 'skills/code-review/SKILL.md', text: `---\n${front}\n---\n${body}`});
const sound = 'name: code-review\ndescription: Reviews code.';
const found = (front: string, body?: string): readonly string[] =>
  check(front, body).findings.map(
    ({code, severity, where}) => `${severity} ${code} ${where.replace(/^.*SKILL\.md/, '')}`,
  );

describe('a skill', () => {
  it('is valid with a name, a description, and every optional field', () => {
    expect(check(sound)).toEqual({name: 'code-review', links: [], findings: []});
    const all = 'license: MIT\ncompatibility: needs git\nmetadata: {author: ada}\nallowed-tools: Bash(git:*) Read';
    expect(check(`${sound}\n${all}`).findings).toEqual([]);
  });

  it.each([
    ['description: x', ['error SKILL_NAME :2']],
    ['name: Code-Review\ndescription: x', ['error SKILL_NAME :2', 'error SKILL_NAME :2']],
    ['name: code--review\ndescription: x', ['error SKILL_NAME :2', 'error SKILL_NAME :2']],
    ['name: other\ndescription: x', ['error SKILL_NAME :2']],
    [`name: ${'a'.repeat(65)}\ndescription: x`, ['error SKILL_NAME :2', 'error SKILL_NAME :2']],
    ['name: code-review', ['error SKILL_DESCRIPTION :2']],
    ['name: code-review\ndescription: " "', ['error SKILL_DESCRIPTION :3']],
    [`name: code-review\ndescription: ${'x'.repeat(1025)}`, ['error SKILL_DESCRIPTION :3']],
    [`${sound}\nlicense: [MIT]`, ['error SKILL_FIELD :4']],
    [`${sound}\ncompatibility: ''`, ['error SKILL_FIELD :4']],
    [`${sound}\nmetadata: {count: 1}`, ['error SKILL_FIELD :4']],
    [`${sound}\nmetadata: [x]`, ['error SKILL_FIELD :4']],
    [`${sound}\nallowed-tools: [Read]`, ['error SKILL_FIELD :4']],
    [`${sound}\nversion: 1`, ['warn SKILL_FIELD :4']],
    ['a: b: c', ['error FRONT_MATTER :2']],
    ['- list', ['error FRONT_MATTER :2']],
  ])('with %j is reported with its place', (front, findings) => {
    expect(found(front)).toEqual(findings);
  });

  it('has instructions, but not too many', () => {
    expect(found(sound, '\n')).toEqual(['error SKILL_BODY ']);
    expect(found(sound, 'x\n'.repeat(501))).toEqual(['warn SKILL_BODY ']);
    expect(checkSkill({folder: 'x', path: 'x/SKILL.md', text: '# No front matter\n'}).findings).toMatchObject([
      {code: 'FRONT_MATTER', where: 'x/SKILL.md:1'},
    ]);
  });

  it('links to other files, ignoring links in code', () => {
    const body =
      'See [a](a%20b.md#top) and [c](<../c.md>).\n```\n[no](no.md)\n```\n`[no](no.md)` [web](https://x.y) [top](#top) [d](%zz)\n';
    expect(check(sound, body).links).toEqual([
      {to: 'a b.md', line: 5},
      {to: '../c.md', line: 5},
      {to: '%zz', line: 9},
    ]);
  });
});
