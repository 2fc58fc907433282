// The task board and the health page in Chromium.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {opened} from '../../support/opened.ts';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';

describe.skipIf(chromiumPath === undefined)('tasks and health (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  beforeAll(async () => {
    stage = await openDashboardStage(chromiumPath ?? '');
    const {runtime} = stage.host;
    await runtime.createTask({id: 'WU-7', lane_id: 'docs', type: 'note', title: 'Write the guide'});
    for (let turn = 0; turn < 30; turn += 1) {
      const by = turn < 14 ? 'ann' : 'agent-scheduler';
      const task = {title: turn < 14 ? `Note ${turn}` : 'What is due?'};
      const session = opened(await stage.host.openSession({by, lane: 'docs', task}));
      await session.complete();
    }
  });
  afterAll(async () => await stage.close());

  test('cards show titles, done tasks come by the page, and the scheduler’s are one row', async () => {
    const page = await stage.visit('tasks');
    const lane = page.locator('section.lane', {hasText: 'Docs and examples'});
    await lane.getByRole('link', {name: 'Write the guide'}).waitFor();
    await lane.getByText('agent-schedule:due ×16').waitFor();
    await lane.getByRole('link', {name: 'Note 13'}).waitFor();
    expect(await lane.getByRole('link', {name: /^Note/}).count()).toBe(12);
    await lane.getByRole('button', {name: 'Show more of 14'}).click();
    await expect.poll(() => lane.getByRole('link', {name: /^Note/}).count(), {timeout: 60_000}).toBe(14);
    await page.keyboard.press('/');
    await page.keyboard.type('GUIDE');
    await expect.poll(() => lane.getByRole('listitem').count(), {timeout: 60_000}).toBe(1);
    expect(page.url()).toContain('text=GUIDE');
    await page.getByLabel('Filter').fill('wu-7');
    await lane.getByRole('link', {name: 'Write the guide'}).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Filter').fill('');
    await lane.getByRole('button', {name: 'Show', exact: true}).click();
    await lane.getByRole('link', {name: 'What is due?'}).first().waitFor();
    await page.getByRole('button', {name: 'Fold'}).click();
    await lane.getByText('agent-schedule:due ×16').waitFor();
    await page.context().close();
  });

  test.each(['changes', 'packs'])('the list of %s is filtered, and its keys are shown', async (place) => {
    const page = await stage.visit(place);
    await page.getByLabel('Filter').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', {name: 'Keys'}).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('EDIT');
    if (place === 'packs') await expect.poll(() => page.locator('.tools tbody tr').count()).toBe(1);
    expect(page.url()).toContain(`#/${place}?text=EDIT`);
    await page.getByLabel('Filter').fill('nothing like it');
    await page.getByText(place === 'packs' ? 'No tool matches.' : 'No changes to settle.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });

  test('the policy of a lane, tool by tool, and how often its rules decided, with rules that never did first', async () => {
    await stage.callTool('file:delete', {lane: 'docs', input: {path: 'docs/guide.md'}});
    const page = await stage.visit('policy');
    const denied = page.locator('table.policy').first().locator('tr', {hasText: 'file:delete'});
    await denied.getByText('denied').waitFor();
    await denied
      .locator('code', {hasText: /^[a-z]/u})
      .first()
      .waitFor();
    const rules = page.locator('table.policy').nth(1).locator('tbody tr');
    await rules.first().waitFor();
    const decided = await rules.locator('td:nth-child(3)').allInnerTexts();
    expect(decided[0]).toBe('never');
    expect(Number(decided.at(-1))).toBeGreaterThan(0);
    await page.keyboard.press('/');
    await page.keyboard.type('file:delete');
    await expect.poll(() => page.locator('table.policy').first().locator('tbody tr').count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });

  test('the health page verifies the log by itself, and says when it did', async () => {
    const page = await stage.visit('health');
    await page.getByText('verdict').waitFor();
    await page.locator('dt', {hasText: /^verified$/}).waitFor();
    expect(await page.locator('dl time').count()).toBe(1);
    await page.context().close();
  });
});
