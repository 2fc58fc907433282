// The approvals page in Chromium: one press answers one request, on a desktop and on a phone.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import type {Page} from 'playwright-core';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';

const phone = {viewport: {width: 390, height: 844}, hasTouch: true};

describe.skipIf(chromiumPath === undefined)('approvals (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  beforeEach(async () => {
    stage = await openDashboardStage(chromiumPath ?? '');
  });
  afterEach(async () => await stage.close());

  /** Each in its own task. */
  async function request(count: number): Promise<readonly Record<string, unknown>[]> {
    const bodies: Record<string, unknown>[] = [];
    for (let number = 1; number <= count; number += 1) {
      const input = {path: `docs/page-${number}.md`, old_text: 'a', new_text: 'b'};
      bodies.push((await stage.callTool('file:edit', {lane: 'docs', input})).body);
    }
    return bodies;
  }

  const pending = (): number => stage.host.runtime.listApprovals({state: 'pending'}).length;
  const said = (page: Page, text: string): Promise<void> => page.getByRole('status').getByText(text).waitFor();
  const chosen = (page: Page): Promise<readonly string[]> =>
    page.locator('.requests [aria-pressed=true]').allInnerTexts();

  test('a request shows whether its receivers were notified, and when', async () => {
    await stage.close();
    const url = 'http://127.0.0.1:1/';
    const notify: NonNullable<WorkspaceSpec['approvals']>['notify'] = [
      {id: 'chat', url},
      {id: 'pager', url},
      {id: 'mail', url},
    ];
    stage = await openDashboardStage(chromiumPath ?? '', {notify});
    await request(1);
    const {notifications} = stage.host.runtime;
    for (const {approval, receiver, occasion, attempt} of await notifications.claim(new Set(['mail']))) {
      const ended = {request_id: approval.request_id, receiver: receiver.id, occasion, attempt};
      const failed = {outcome: 'given_up', detail: 'status 410'} as const;
      await notifications.end({...ended, ...(receiver.id === 'chat' ? {outcome: 'delivered'} : failed)});
    }
    const page = await stage.visit('approvals');
    await page.getByRole('heading', {name: 'Notifications'}).waitFor();
    const shown = await page.locator('h3:text("Notifications") + ul > li').allInnerTexts();
    expect(shown).toEqual([
      expect.stringMatching(/^chat: new request delivered \d+:\d+:\d+$/),
      expect.stringMatching(/^pager: new request failed \d+:\d+:\d+, status 410; it is not sent again$/),
      'mail: not yet notified',
    ]);
    expect(await axeViolations(page)).toEqual([]);
  });

  test('a key that stays down answers one request, and the next needs a choice', async () => {
    await request(3);
    const page = await stage.visit('approvals');
    await page.getByLabel('Difference').waitFor();
    await page.keyboard.down('a');
    await said(page, 'Approved file:edit docs/page-1.md');
    await page.getByText(/^2 waiting, /).waitFor();
    for (let repeat = 0; repeat < 10; repeat += 1) await page.keyboard.down('a');
    await page.keyboard.up('a');
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    expect(await chosen(page)).toEqual([]);
    expect(pending()).toBe(2);
    await page.keyboard.press('j');
    await page.getByRole('heading', {name: 'file:edit', level: 2}).waitFor();
    expect((await chosen(page)).join()).toContain('docs/page-2.md');
    await page.getByLabel('Reason').fill('not this page');
    await page.keyboard.press('Enter');
    await said(page, 'Rejected file:edit docs/page-2.md');
    await page.getByText(/^1 waiting, /).waitFor();
    expect(pending()).toBe(1);
  });

  test.each([
    ['a double click', (page: Page) => page.getByRole('button', {name: 'Approve'}).dblclick()],
    [
      'Enter held on the button',
      async (page: Page) => {
        await page.getByRole('button', {name: 'Approve'}).focus();
        for (let repeat = 0; repeat < 5; repeat += 1) await page.keyboard.down('Enter');
        await page.keyboard.up('Enter');
      },
    ],
  ])('%s answers one request', async (_how, act) => {
    await request(2);
    const page = await stage.visit('approvals');
    await page.getByLabel('Difference').waitFor();
    await act(page);
    await said(page, 'Approved file:edit docs/page-1.md');
    await page.getByText(/^1 waiting, /).waitFor();
    expect(pending()).toBe(1);
    expect(await page.getByRole('button', {name: 'Approve'}).count()).toBe(0);
  });

  test('the chosen card stays in view, and so does its request', async () => {
    await request(8);
    const page = await stage.visit('approvals', {viewport: {width: 1280, height: 480}});
    await page.getByLabel('Difference').waitFor();
    for (let step = 0; step < 7; step += 1) await page.keyboard.press('j');
    const card = page.locator('.requests [aria-pressed=true]', {hasText: 'docs/page-8.md'});
    await card.waitFor();
    await page.getByRole('article', {name: 'The request'}).getByText('docs/page-8.md').waitFor();
    const {y = -1, height = 0} = (await card.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(480);
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.keyboard.press('a');
    await said(page, 'Approved file:edit docs/page-8.md');
    await page.keyboard.press('k');
    await page.locator('.requests [aria-pressed=true]', {hasText: 'docs/page-7.md'}).waitFor();
  });

  test('a phone shows the list or one request', async () => {
    await request(6);
    const page = await stage.visit('approvals', phone);
    const card = page.getByRole('button', {name: /docs\/page-5\.md/});
    await card.waitFor();
    await page.getByText('6 waiting, oldest for less than 1 min').waitFor();
    expect(await page.getByRole('button', {name: 'Approve'}).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await card.tap();
    await page.getByRole('button', {name: 'Approve'}).waitFor();
    expect(await card.isVisible()).toBe(false);
    expect(await page.getByLabel('Difference').isVisible()).toBe(true);
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', {name: 'Back to the list'}).tap();
    await card.waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toContain('docs/page-5.md');
    await card.tap();
    await page.getByRole('button', {name: 'Approve'}).waitFor();
    await page.goBack();
    await card.waitFor();
    await card.tap();
    await page.getByRole('button', {name: 'Approve'}).tap();
    await said(page, 'Approved file:edit docs/page-5.md');
    await page.getByText(/^5 waiting, /).waitFor();
  });

  test('a task that ends withdraws its request, and the page says why', async () => {
    const [asked] = await request(1);
    const page = await stage.visit('approvals');
    await page.getByLabel('Difference').waitFor();
    const {task_id, session_id} = asked as {readonly task_id: string; readonly session_id: string};
    await stage.host.runtime.completeTask({task_id, session_id, by: 'ann'});
    await page.getByText('This request was answered or withdrawn, or it expired.').waitFor();
    await page.getByLabel('Show').selectOption('withdrawn');
    await page.getByRole('article').getByText('was completed').waitFor();
    expect(await page.getByRole('button', {name: 'Approve'}).count()).toBe(0);
  });

  test('the list is filtered by parts of names, its keys are shown, and a link keeps the filter', async () => {
    await request(3);
    const page = await stage.visit('approvals');
    await page.getByLabel('Difference').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('EDIT page-3');
    await expect.poll(() => page.locator('.requests button').count()).toBe(1);
    expect(page.url()).toContain('text=EDIT+page-3');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', {name: 'Keys'});
    await keys.getByText('approve it').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Escape');
    await keys.waitFor({state: 'hidden'});
    expect(pending()).toBe(3);
    await page.reload();
    await page.getByRole('button', {name: /docs\/page-3\.md/}).waitFor();
    expect(await page.getByLabel('Filter').inputValue()).toBe('EDIT page-3');
    expect(await page.locator('.requests button').count()).toBe(1);
    await page.getByLabel('Filter').fill('nothing like it');
    await page.getByText('No request matches.').waitFor();
  });
});
