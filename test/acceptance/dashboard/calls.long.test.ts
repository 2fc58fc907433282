// The feed of calls in Chromium: its labels, its filters, and what it folds.
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {opened} from '../../support/opened.ts';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';

describe.skipIf(chromiumPath === undefined)('the feed of calls (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  const call = (name: string, lane: string, path: string) => stage.callTool(name, {lane, input: {path, content: 'x'}});
  const read = (lane: string, path: string) => stage.callTool('file:read', {lane, input: {path}});
  beforeAll(async () => {
    stage = await openDashboardStage(chromiumPath ?? '');
    await read('docs', 'README.md');
    await read('core', 'docs/guide.md');
    await read('docs', 'missing.md');
    expect((await call('file:write', 'docs', 'package.json')).body).toMatchObject({error: {code: 'SCOPE_DENIED'}});
    for (let turn = 0; turn < 3; turn += 1) {
      const session = opened(await stage.host.openSession({by: 'agent-scheduler', lane: 'docs'}));
      await session.call('file:read', {path: 'README.md'});
      await session.complete();
    }
  });
  afterAll(async () => await stage.close());

  const rows = (page: Page): Promise<readonly string[]> => page.locator('table.calls tbody tr').allInnerTexts();
  const rowsAre = (page: Page, expected: readonly RegExp[]): Promise<void> =>
    expect
      .poll(() => rows(page), {timeout: 60_000})
      .toEqual(expected.map((each) => expect.stringMatching(each) as unknown));

  test('a call that left its scopes is denied, and counts as denied', async () => {
    const page = await stage.visit('calls');
    const row = page.getByRole('row', {name: /file:write/});
    await row.getByText('denied', {exact: true}).waitFor();
    await page.getByLabel('Result').selectOption('denied');
    await rowsAre(page, [/file:write/]);
    const chart = page.locator('.chart', {hasText: 'Denied, last hour'});
    await expect.poll(() => chart.locator('.figure').innerText()).toBe('1');
    await page.getByLabel('Result').selectOption('failed');
    await rowsAre(page, [/missing|no such|ENOENT/i]);
    await page.context().close();
  });

  test('words filter by tool, lane and task while they are typed, and a link keeps the filters', async () => {
    const page = await stage.visit('calls');
    await rowsAre(page, [/file:write/, /file:read/, /file:read/, /file:read/]);
    await page.keyboard.press('/');
    await page.keyboard.type('READ core');
    await rowsAre(page, [/file:read\s+Core|file:read\s+core/]);
    await read('docs', 'README.md');
    await read('core', 'README.md');
    await rowsAre(page, [/core/, /core/]);
    await page.getByLabel('Time').selectOption('15m');
    expect(page.url()).toContain('text=READ+core&since=15m');
    await page.reload();
    await rowsAre(page, [/core/, /core/]);
    expect(await page.getByLabel('Time').inputValue()).toBe('15m');
    await page.getByRole('link', {name: 'file:read'}).first().click();
    await page.getByRole('heading', {level: 1, name: 'Receipt'}).waitFor();
    const task = await page.locator('main a[href^="#/tasks/"]').first().getAttribute('title');
    await page.goBack();
    await rowsAre(page, [/core/, /core/]);
    await page.getByLabel('Filter').fill(String(task).slice(0, 20).toUpperCase());
    await rowsAre(page, [/core/]);
    await page.getByLabel('Filter').fill('boom');
    await page.getByText('No call matches.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });

  test('the scheduler’s calls are one row until they are asked for', async () => {
    const page = await stage.visit('calls?text=docs');
    await page.getByText('agent-schedule:due ×3').waitFor();
    const before = (await rows(page)).length;
    const session = opened(await stage.host.openSession({by: 'agent-scheduler', lane: 'docs'}));
    await session.call('file:read', {path: 'README.md'});
    await session.complete();
    await page.getByText('agent-schedule:due ×4').waitFor();
    expect(await rows(page)).toHaveLength(before);
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    await expect.poll(async () => (await rows(page)).length, {timeout: 60_000}).toBe(before + 4);
    await page.getByRole('button', {name: 'Fold'}).click();
    await expect.poll(async () => (await rows(page)).length, {timeout: 60_000}).toBe(before);
    await page.context().close();
  });

  test('? shows the keys', async () => {
    const page = await stage.visit('calls');
    const keys = page.getByRole('dialog', {name: 'Keys'});
    // A page does not listen before it is loaded.
    const shown = async (): Promise<boolean> => {
      if (!(await keys.isVisible())) await page.keyboard.press('?');
      return await keys.isVisible();
    };
    await expect.poll(shown, {timeout: 60_000}).toBe(true);
    await keys.getByText('go to the filter').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });
});
