// Plans, rendered files and validation on a real host: files are compared with the log.
import type {Host, Session} from '@lumenflow/host';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {codeOf, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
let ada: Session;

const text = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');
const sha256 = (path: string): string => createHash('sha256').update(text(path)).digest('hex');
const findingsOf = async (tool: string): Promise<readonly string[]> => {
  const {findings} = await must(ada, tool);
  return (findings as {readonly code: string; readonly where: string}[]).map(({code, where}) => `${code} ${where}`);
};
const skill = (name: string): string => `---\nname: ${name}\ndescription: Reviews code.\n---\n# Review\n`;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    yaml: 'software_delivery: {agent_docs: {targets: [CLAUDE.md, GEMINI.md]}}\n',
    files: {
      'AGENTS.md': '# Rules\n\nBe kind.\n',
      'CLAUDE.md': 'My own words.\n',
      'skills/review/SKILL.md': skill('review'),
      'agents/reviewer.md': '---\nskills: [review]\n---\nReviews.\n',
    },
  });
  host = await workspace.start();
  ada = opened(await host.openSession({by: 'ada'}));
  await must(ada, 'wu:create', {
    title: 'Büro | open',
    lane: 'core',
    type: 'feature',
    priority: 'P1',
    description: 'The office is to be open whenever somebody wants to come in, which is not the case today.',
    acceptance: ['It is open'],
    code_paths: ['src/**'],
  });
}, 300_000);
afterAll(async () => await workspace.remove());

describe('plans', () => {
  it('are drafts until a person promotes exactly the bytes that were read', async () => {
    const created = await must(ada, 'plan:create', {
      title: 'Größer bauen',
      sections: [{heading: 'Goal', body: 'Ten rooms.'}],
    });
    const id = 'grosser-bauen';
    const path = `docs/plans/${id}.md`;
    expect(created).toMatchObject({id, path, markdown: text(path), sha256: sha256(path)});
    expect(await codeOf(ada, 'plan:create', {title: 'Größer bauen'})).toBe('EXISTS');
    expect(await codeOf(ada, 'plan:create', {title: '計画書'})).toBe('ID_MISSING');
    expect(await promote({id, expect_sha256: sha256(path)})).toBe('PLAN_INCOMPLETE');

    await must(ada, 'plan:edit', {id, section: 'Approach', body: 'Walls first.', dry_run: true});
    expect(sha256(path)).toBe(created['sha256']);
    await must(ada, 'plan:edit', {id, section: 'Approach', body: 'Walls first.', expect_sha256: created['sha256']});
    const stale = {id, section: 'Approach', body: 'x', expect_sha256: created['sha256']};
    expect(await codeOf(ada, 'plan:edit', stale)).toBe('CONTENT_CHANGED');
    expect(await codeOf(ada, 'plan:edit', {id: 'gone', section: 'Goal', body: 'x'})).toBe('PLAN_NOT_FOUND');
    expect(await codeOf(ada, 'plan:edit', {id, section: 'Goal', mode: 'remove', body: 'x'})).toBe('INVALID_INPUT');
    await must(ada, 'plan:edit', {id, section: 'Success criteria', body: 'They stand.'});

    expect(await promote({id, expect_sha256: String(created['sha256'])})).toBe('CONTENT_CHANGED');
    expect(await promote({id, expect_sha256: sha256(path)})).toBe('success');
    expect(text(path)).toContain('status: approved\n');
    expect(await must(ada, 'plan:link', {id, to: 'WU-1'})).toMatchObject({links: ['WU-1'], sha256: sha256(path)});
    expect(await codeOf(ada, 'plan:link', {id, to: 'WU-1'})).toBe('LINKED');
    expect(await codeOf(ada, 'plan:link', {id, to: 'WU-9'})).toBe('LINK_TARGET_NOT_FOUND');
    expect(await codeOf(ada, 'plan:link', {id, to: 'WU-9', remove: true})).toBe('NOT_LINKED');
    expect(await findingsOf('validate')).not.toContain(`PLAN ${path}`);

    workspace.write({[path]: text(path).replace('Ten rooms', 'Nine rooms')});
    expect(await findingsOf('validate')).toContain(`PLAN ${path}`);
    expect(await must(ada, 'plan:edit', {id, section: 'Goal', body: 'Nine rooms.'})).toMatchObject({status: 'draft'});
    expect(await findingsOf('validate')).not.toContain(`PLAN ${path}`);
  });
});

/** Asks, has a person approve, and calls again. */
async function promote(input: {readonly id: string; readonly expect_sha256: string}): Promise<string> {
  const asked = await ada.call('plan:promote', input);
  // What the call would do is previewed before a person is asked.
  if (asked.error?.code === 'PREVIEW_FAILED') return String(asked.error.details?.['cause']);
  const request_id = String(asked.error?.details?.['request_id']);
  await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'ann', reason: 'read it'});
  return await codeOf(ada, 'plan:promote', input);
}

describe('backlog.md and status.md', () => {
  it('are what the log renders to, byte for byte', async () => {
    expect(await findingsOf('validate:backlog-sync')).toEqual([
      'BACKLOG_SYNC docs/tasks/backlog.md',
      'BACKLOG_SYNC docs/tasks/status.md',
    ]);
    expect(await must(ada, 'validate')).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({code: 'BACKLOG_SYNC', severity: 'warn'})]),
    });
    expect(await must(ada, 'backlog:render', {dry_run: true})).toMatchObject({
      files: [{changed: true}, {changed: true}],
    });
    expect(await must(ada, 'backlog:render')).toMatchObject({
      files: [{path: 'docs/tasks/backlog.md', changed: true, sha256: sha256('docs/tasks/backlog.md')}, {changed: true}],
    });
    expect(text('docs/tasks/backlog.md')).toContain('| WU-1 | Büro \\| open | core | P1 |');
    expect(await must(ada, 'backlog:render')).toMatchObject({files: [{changed: false}, {changed: false}]});
    expect(await must(ada, 'validate:backlog-sync')).toEqual({valid: true, checked: 2, findings: []});
    workspace.write({'docs/tasks/status.md': text('docs/tasks/status.md').replace('# Status', '# Status ')});
    expect(await findingsOf('validate:backlog-sync')).toEqual(['BACKLOG_SYNC docs/tasks/status.md:1']);
  });

  it('omit what was completed long ago, and name what has stalled', async () => {
    expect(await must(ada, 'backlog:prune', {stale_days: 0, dry_run: true})).toMatchObject({
      left_out: 0,
      stale: [{id: 'WU-1', status: 'ready'}],
    });
    expect(await must(ada, 'backlog:prune')).toMatchObject({stale: [], files: [{changed: false}, {changed: true}]});
    expect(await must(ada, 'validate:backlog-sync')).toMatchObject({valid: true});
  });
});

describe("agents' instructions", () => {
  it('are copied between marks, and a target without marks is only joined on request', async () => {
    expect(await codeOf(ada, 'docs:sync')).toBe('TARGET_UNMARKED');
    expect(await findingsOf('validate:agent-sync')).toEqual(['AGENT_SYNC CLAUDE.md', 'AGENT_SYNC GEMINI.md']);
    expect(await must(ada, 'docs:sync', {adopt: true})).toMatchObject({
      source: 'AGENTS.md',
      files: [
        {path: 'CLAUDE.md', change: 'updated', sha256: sha256('CLAUDE.md')},
        {path: 'GEMINI.md', change: 'created'},
      ],
    });
    expect(text('CLAUDE.md')).toMatch(/Be kind\.\n<!-- agent-docs:end -->\n\nMy own words\.\n$/);
    expect(await must(ada, 'validate:agent-sync')).toEqual({valid: true, checked: 3, findings: []});
    workspace.write({'AGENTS.md': '# Rules\n\nBe quick.\n'});
    expect(await findingsOf('validate:agent-sync')).toEqual(['AGENT_SYNC CLAUDE.md:4', 'AGENT_SYNC GEMINI.md:4']);
    expect(await must(ada, 'docs:sync', {dry_run: true})).toMatchObject({
      files: [{change: 'updated'}, {change: 'updated'}],
    });
    await must(ada, 'docs:sync');
    expect(await must(ada, 'docs:sync')).toMatchObject({files: [{change: 'none'}, {change: 'none'}]});
  });
});

describe('validation', () => {
  it('finds skills that break the format, and agents that name none', async () => {
    expect(await must(ada, 'validate:skills-spec')).toEqual({valid: true, checked: 1, findings: []});
    expect(await must(ada, 'validate:agent-skills')).toEqual({valid: true, checked: 2, findings: []});
    workspace.write({'skills/review/SKILL.md': skill('re-view')});
    expect(await findingsOf('validate:skills-spec')).toEqual(['SKILL_NAME skills/review/SKILL.md:2']);
    expect(await findingsOf('validate:agent-skills')).toEqual(['AGENT_SKILL agents/reviewer.md:2']);
  });

  it('is all of it at once, specs too', async () => {
    const spec = 'docs/tasks/WU-1.yaml';
    workspace.write({
      'skills/review/SKILL.md': skill('review'),
      'docs/tasks/WU-7.yaml': text(spec).replace('WU-1', 'WU-7'),
      [spec]: text(spec).replace('priority: P1', 'priority: P9'),
    });
    expect(await must(ada, 'validate')).toMatchObject({valid: false, checked: 10});
    expect(await findingsOf('validate')).toEqual([`SPEC_INVALID ${spec}:5:11`, 'NOT_RECORDED docs/tasks/WU-7.yaml']);
  });
});
