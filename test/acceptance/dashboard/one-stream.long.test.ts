// The streams that a page of the dashboard opens, in Chromium.
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';

const isStream = /\/v1\/(?:events|calls\/live)(?:\?|$)/;

describe.skipIf(chromiumPath === undefined)('one stream (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  let taskId = '';
  beforeAll(async () => {
    stage = await openDashboardStage(chromiumPath ?? '');
    const {body} = await stage.callTool('file:read', {lane: 'docs', input: {path: 'README.md'}});
    taskId = String(body['task_id']);
  });
  afterAll(async () => await stage.close());

  /** The addresses of streams that are open now. */
  function watchStreams(page: Page): ReadonlySet<string> {
    const open = new Map<unknown, string>();
    page.on('request', (request) => {
      if (isStream.test(request.url())) open.set(request, request.url().slice(stage.server.url.length));
    });
    for (const end of ['requestfinished', 'requestfailed'] as const) {
      page.on(end as 'requestfinished', (request) => open.delete(request));
    }
    return {
      get size() {
        return open.size;
      },
      [Symbol.iterator]: () => open.values(),
    } as unknown as ReadonlySet<string>;
  }

  const pretend = (page: Page, isHidden: boolean): Promise<unknown> =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', {value: ${isHidden}, configurable: true});
      document.dispatchEvent(new Event('visibilitychange'));
    `);

  test('every page opens one stream, which carries calls on the feed; a hidden page opens none', async () => {
    const page = await stage.visit('health');
    const streams = watchStreams(page);
    await page.reload();
    const areOpen = (expected: readonly string[]): Promise<void> =>
      expect.poll(() => [...streams], {timeout: 60_000}).toEqual(expected);
    await areOpen(['/v1/events']);
    await page.evaluate(`location.hash = '#/calls'`);
    await areOpen(['/v1/events?calls=true']);
    await page.evaluate(`location.hash = '#/tasks/${taskId}'`);
    await page.getByText('task completed').waitFor();
    await areOpen(['/v1/events']);
    await page.evaluate(`location.hash = '#/calls'`);
    await areOpen(['/v1/events?calls=true']);
    const rows = page.locator('table.calls tbody tr');
    await expect.poll(() => rows.count(), {timeout: 60_000}).toBe(1);
    await pretend(page, true);
    await areOpen([]);
    await stage.callTool('file:read', {lane: 'docs', input: {path: 'docs/guide.md'}});
    await pretend(page, false);
    await areOpen(['/v1/events?calls=true']);
    // A call of the pause is there, and so is the next.
    await expect.poll(() => rows.count(), {timeout: 60_000}).toBe(2);
    await stage.callTool('file:read', {lane: 'docs', input: {path: 'docs/guide.md'}});
    await expect.poll(() => rows.count(), {timeout: 60_000}).toBe(3);
    await page.context().close();
  });
});
