import {describe, expect, it} from 'vitest';
import {createTestWorkspace} from '../test-workspace.fixture.ts';
import {approvedText, setPlanHead, writePlan} from '../plans/plan-document.ts';
import type {PlanState} from '../plans/plan-slice.ts';
import {sha256Hex} from '../files/sha256-hex.ts';
import {checkAgentSync} from './check-agent-sync.ts';
import {checkAgents, findAgents} from './check-agents.ts';
import {checkPlans} from './check-plans.ts';
import {findSkills} from './find-skills.ts';
import {firstDifference} from './validation-finding.ts';

const skill = (name: string, body = 'Do it.'): string => `---\nname: ${name}\ndescription: x\n---\n${body}\n`;

describe('the skills of a repository', () => {
  it('are found where agents search, with the files that they link to', async () => {
    const workspace = await createTestWorkspace();
    const {fs} = workspace.context(undefined);
    expect(await findSkills(fs, undefined)).toEqual({skills: [], empty: []});
    await workspace.put(
      '.claude/skills/a/SKILL.md',
      skill('a', '[there](notes/x.md) [gone](y.md) [up](../../../../../x) [out](../b/SKILL.md)'),
    );
    await workspace.put('.claude/skills/a/notes/x.md', 'x');
    await workspace.put('skills/b/SKILL.md', skill('b'));
    await workspace.put('skills/b/SKILL.md~', 'x');
    await workspace.put('skills/c/readme.md', 'x');
    await workspace.put('skills/file', 'x');
    const {skills, empty} = await findSkills(fs, undefined);
    expect(skills.map(({path}) => path)).toEqual(['.claude/skills/a/SKILL.md', 'skills/b/SKILL.md']);
    expect(skills.flatMap(({findings}) => findings).map(({message}) => message)).toEqual([
      'it links to `y.md`, which does not exist',
      'it links to `../../../../../x`, which does not exist',
      'it links to `../b/SKILL.md`, which does not exist',
    ]);
    expect(empty).toMatchObject([{code: 'SKILL_MISSING', where: 'skills/c'}]);
    expect((await findSkills(fs, {skills: {folders: ['elsewhere']}})).skills).toEqual([]);
  });

  it('are the ones that agents name, with unique names', async () => {
    const workspace = await createTestWorkspace();
    const {fs} = workspace.context(undefined);
    await workspace.put('skills/a/SKILL.md', skill('a'));
    await workspace.put('.agents/skills/a/SKILL.md', skill('a'));
    await workspace.put('.claude/agents/reviewer.md', '---\nname: reviewer\nskills: a, gone\n---\nx');
    await workspace.put('.claude/agents/list.md', '---\nskills: [gone]\n---\nx');
    await workspace.put('.claude/agents/plain.md', 'no front matter');
    await workspace.put('.claude/agents/none.txt', 'x');
    const {skills} = await findSkills(fs, undefined);
    expect(checkAgents(await findAgents(fs), skills).map(({code, severity, where}) => [code, severity, where])).toEqual(
      [
        ['SKILL_DUPLICATE', 'warn', 'skills/a/SKILL.md'],
        ['AGENT_SKILL', 'error', '.claude/agents/list.md:2'],
        ['FRONT_MATTER', 'warn', '.claude/agents/plain.md:1'],
        ['AGENT_SKILL', 'error', '.claude/agents/reviewer.md:3'],
      ],
    );
  });
});

describe("agents' instructions", () => {
  it('are compared with their source', async () => {
    const workspace = await createTestWorkspace();
    const {fs} = workspace.context(undefined);
    expect(await checkAgentSync(fs, undefined)).toEqual({valid: true, checked: 0, findings: []});
    expect(await checkAgentSync(fs, {agent_docs: {source: 'RULES.md', targets: ['CLAUDE.md']}})).toMatchObject({
      valid: false,
      findings: [{where: 'RULES.md'}],
    });
    await workspace.put('AGENTS.md', 'one\ntwo\n');
    expect(await checkAgentSync(fs, undefined)).toEqual({valid: true, checked: 1, findings: []});
    await workspace.put('CLAUDE.md', 'mine');
    await workspace.put(
      'GEMINI.md',
      '<!-- agent-docs:begin AGENTS.md, copied by docs:sync -->\none\n2\n<!-- agent-docs:end -->\n',
    );
    const targets = ['CLAUDE.md', 'GEMINI.md', 'gone.md'];
    expect((await checkAgentSync(fs, {agent_docs: {targets}})).findings.map(({where}) => where)).toEqual([
      'CLAUDE.md',
      'GEMINI.md:3',
      'gone.md',
    ]);
  });
});

describe('plans', () => {
  it('that are marked as approved equal the approved text', async () => {
    const workspace = await createTestWorkspace();
    const {fs} = workspace.context(undefined);
    const draft = writePlan({title: 'T', status: 'draft', links: []}, []);
    const approved = setPlanHead(draft, {status: 'approved'});
    await workspace.put('docs/plans/draft.md', draft);
    await workspace.put('docs/plans/forged.md', approved);
    await workspace.put('docs/plans/sound.md', setPlanHead(approved, {links: ['WU-1']}));
    await workspace.put('docs/plans/changed.md', `${approved}more\n`);
    await workspace.put('docs/plans/broken.md', 'x');
    const promoted = {approved_sha256: await sha256Hex(approvedText(approved)), at: 'then', by: 's-1'};
    const plans: PlanState = Object.fromEntries(
      ['sound', 'changed'].map((id) => [id, {id, title: 'T', links: [], promoted}]),
    );
    const {checked, findings} = await checkPlans(fs, plans);
    expect(checked).toBe(5);
    expect(findings.map(({where}) => where)).toEqual([
      'docs/plans/broken.md',
      'docs/plans/changed.md',
      'docs/plans/forged.md',
    ]);
  });
});

describe('the first difference', () => {
  it.each([
    ['a\nb', 'a\nb\nc', 3],
    ['a\nb\nc', 'a\nb', 3],
    ['a\nb', 'a\nx', 2],
    ['a', 'b', 1],
  ])('of %j and %j is on line %i', (expected, actual, line) => {
    expect(firstDifference(expected, actual)).toBe(line);
  });
});
