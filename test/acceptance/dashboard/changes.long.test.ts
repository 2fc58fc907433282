// What calls change, as operators read it in a real Chromium: on a desktop and on a phone.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';

function receiptOf(body: Record<string, unknown>): string {
  return String((body['metadata'] as Record<string, unknown>)['receipt_id']);
}

describe.skipIf(chromiumPath === undefined)('what a call changed (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  beforeAll(async () => {
    stage = await openDashboardStage(chromiumPath ?? '');
  });
  afterAll(async () => await stage.close());

  const phone = {viewport: {width: 390, height: 844}};
  const write = async (path: string, content: string): Promise<Record<string, unknown>> =>
    (await stage.callTool('file:write', {lane: 'docs', input: {path, content}})).body;

  test.each([
    ['a desktop', {}],
    ['a phone', phone],
  ])('is taken back on %s, after its difference was shown', async (_where, options) => {
    await write('docs/notes.md', 'one\ntwo\nthree\n');
    const changed = receiptOf(await write('docs/notes.md', 'one\n2\nthree\n'));
    const page = await stage.visit(`receipts/${changed}`, options);
    await page.getByRole('button', {name: 'Revert…'}).click();
    const shown = page.getByRole('region', {name: 'What reverting would change'});
    expect((await shown.getByLabel('Reverted lines of docs/notes.md').innerText()).split('\n')).toEqual(
      expect.arrayContaining(['-2', '+two']),
    );
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('button', {name: 'Revert these changes'}).click();
    await page.getByText('Reverted.').waitFor();
    const {set} = (await stage.host.runtime.changes.of(changed)) ?? {};
    expect(set?.entries).toHaveLength(1);
    expect(await stage.host.runtime.changes.of(changed)).toHaveProperty('reverted_by');
    await page.getByRole('status').getByRole('link').click();
    await page.getByText('reverts', {exact: true}).waitFor();
    await page.context().close();
  });

  test('every page is reachable on a phone without scrolling the menu', async () => {
    const page = await stage.visit('approvals', phone);
    const links = page.getByRole('navigation').getByRole('link');
    for (const link of await links.all()) {
      const {x = -1, width = 0} = (await link.boundingBox()) ?? {};
      expect(x, await link.innerText()).toBeGreaterThanOrEqual(0);
      expect(x + width, await link.innerText()).toBeLessThanOrEqual(390);
    }
    await page.context().close();
  });

  test.each([
    ['a desktop', {}],
    ['a phone', phone],
  ])('waits for a person, who reads it on %s', async (where, options) => {
    const path = `docs/legal/${where.replace(' ', '-')}.md`;
    const long = 'A sentence that goes on for much longer than any phone is wide, and then some more. '.repeat(2);
    expect(await write(path, `# Terms\n\n${long}\n`)).toMatchObject({error: {code: 'CHANGES_PARKED'}});
    const page = await stage.visit('approvals', options);
    if ('viewport' in options) await page.getByRole('button', {name: /file:write/}).click();
    await page.getByLabel(`Lines of ${path}`).waitFor();
    expect(await page.getByLabel(`Lines of ${path}`).innerText()).toContain('+# Terms');
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('button', {name: 'Approve'}).click();
    await page.getByText('No pending requests.').waitFor();
    await page.context().close();
  });
});
