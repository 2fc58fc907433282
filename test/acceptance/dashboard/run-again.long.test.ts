// A call made again from its receipt, in Chromium.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';

describe.skipIf(chromiumPath === undefined)('running again (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  let receiptId = '';
  beforeAll(async () => {
    stage = await openDashboardStage(chromiumPath ?? '');
    const {body} = await stage.callTool('file:read', {lane: 'docs', input: {path: 'docs/guide.md'}});
    receiptId = String((body['metadata'] as Record<string, unknown>)['receipt_id']);
  });
  afterAll(async () => await stage.close());

  test('the input is checked while it is edited, and the call is the operator’s', async () => {
    const page = await stage.visit(`receipts/${receiptId}`);
    await page.getByRole('button', {name: 'Run again with other input…'}).click();
    const field = page.getByLabel('Input of file:read');
    expect(JSON.parse(await field.inputValue())).toEqual({path: 'docs/guide.md'});
    const form = page.locator('form.run-again');
    await form.getByText('allowed').first().waitFor();
    await field.fill('{"path": 7');
    await form.getByText('The input is not JSON').waitFor();
    expect(await form.getByRole('button', {name: 'Run', exact: true}).isDisabled()).toBe(true);
    await field.fill('{"path": 7}');
    await form.getByText('invalid input: /path').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const before = (await stage.host.runtime.evidence.readTraces()).receipts.length;
    expect(before).toBe(1);
    await field.fill('{"path": "README.md"}');
    await form.getByText('invalid input: /path').waitFor({state: 'hidden'});
    await form.getByRole('button', {name: 'Run', exact: true}).click();
    await page
      .getByLabel('Output', {exact: true})
      .or(page.getByLabel('text', {exact: true}))
      .getByText('Hello')
      .waitFor();
    expect(page.url()).not.toContain(receiptId);
    const [call] = (await stage.host.runtime.evidence.readTraces()).receipts;
    expect(call?.started).toMatchObject({tool_name: 'file:read', by: 'olga', surface: 'http', lane_id: 'docs'});
    await page.context().close();
  });

  test('a call that policy denies is denied, and its receipt is shown', async () => {
    const {body} = await stage.callTool('file:delete', {lane: 'docs', input: {path: 'docs/guide.md'}});
    const denied = String((body['metadata'] as Record<string, unknown>)['receipt_id']);
    const page = await stage.visit(`receipts/${denied}`);
    await page.getByRole('button', {name: 'Run again with other input…'}).click();
    const form = page.locator('form.run-again');
    await form.getByText('files are not deleted here').first().waitFor();
    await form.getByRole('button', {name: 'Run', exact: true}).click();
    await expect.poll(() => page.url(), {timeout: 60_000}).not.toContain(denied);
    await page.getByText('stopped here').waitFor();
    await page.context().close();
  });
});
