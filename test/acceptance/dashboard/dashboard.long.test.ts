// Tests the dashboard in Chromium. If LUMENFLOW_SCREENSHOTS is set, takes the pictures that docs show.
import type {CallToolResult} from '@modelcontextprotocol/client';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {unreachableByKeyboard} from '../../support/unreachable-by-keyboard.ts';
import {connectDesk, createClient} from '../../support/mcp-desk.ts';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';

const screenshots = join(import.meta.dirname, '../../../docs/screenshots');
const shown = ['calls-light', 'approvals-dark', 'receipt-light', 'tasks-light', 'policy-light'];
const pictures = process.env['LUMENFLOW_SCREENSHOTS'] === undefined ? [] : shown;
const edit = {lane: 'docs', input: {path: 'docs/guide.md', old_text: 'The old words.', new_text: 'The new words.'}};

/** Something to look at: another request for each kind of screen. */
function rewrite(kind: string): {readonly old_text: string; readonly new_text: string} {
  const sentence = `Its pages are ${kind}, and nobody chose that.`;
  return {
    old_text: `## Themes\n\n${sentence}`,
    new_text: '## Themes\n\nIts pages are dark or light, as the system is.',
  };
}
function receiptOf({body}: {readonly body: Record<string, unknown>}): string {
  return String((body['metadata'] as Record<string, unknown>)['receipt_id']);
}

describe.skipIf(chromiumPath === undefined)('the dashboard (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  let readId = '';
  let deniedId = '';
  let taskId = '';
  beforeAll(async () => {
    stage = await openDashboardStage(chromiumPath ?? '');
    for (const path of ['README.md', 'missing.md']) await stage.callTool('file:read', {lane: 'docs', input: {path}});
    readId = receiptOf(await stage.callTool('file:read', {lane: 'docs', input: {path: 'docs/guide.md'}}));
    const denied = await stage.callTool('file:delete', {lane: 'docs', input: {path: 'docs/guide.md'}});
    deniedId = receiptOf(denied);
    taskId = String(denied.body['task_id']);
    await stage.callTool('<img src=x onerror=alert(1)>', {lane: 'docs'});
    for (const [id, lane_id] of [
      ['write-the-guide', 'docs'],
      ['read-it-again', 'core'],
    ] as const) {
      await stage.host.runtime.createTask({id, lane_id, type: 'note', title: 'A note'});
    }
    await stage.host.runtime.claimTask({task_id: 'read-it-again', by: 'bob', session_id: 'of-bob'});
  });
  afterAll(async () => {
    await stage.close();
  });

  const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', {level: 1, name}).waitFor();

  /** What pages show only when somebody asks. */
  const ask: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    async approvals(page) {
      // A phone shows the list first.
      if ((page.viewportSize()?.width ?? 0) < 720) await page.locator('.requests button').first().click();
      const difference = await page.getByLabel('Difference').innerText();
      expect(difference.split('\n')).toEqual([
        '  ## Themes',
        expect.stringMatching(/^ *$/),
        '- Its pages are dark, and nobody chose that.',
        '+ Its pages are dark or light, as the system is.',
      ]);
    },
    async receipt(page) {
      await page.getByRole('button', {name: 'Make a proof'}).click();
      await page.getByLabel('Checkpoint').waitFor();
      await page.evaluate('scrollTo(0, 0)');
    },
    async policy(page) {
      await page.getByLabel('Tool').fill('file:delete');
      await page.getByLabel('Input').fill('{"path": "docs/guide.md"}');
      await page.getByRole('button', {name: 'Explain'}).click();
      await page.getByRole('heading', {name: 'Layer by layer'}).waitFor();
    },
    async health(page) {
      await page.getByText('verdict').waitFor();
    },
  };

  async function settled(page: Page): Promise<void> {
    const isLoading = async (): Promise<boolean> =>
      String(await page.evaluate('document.body.innerText')).includes('Loading …');
    await vi.waitUntil(async () => !(await isLoading()), {timeout: 60_000});
  }

  test('an operator approves in the browser while an agent waits, and the very call passes', async () => {
    const asked = await stage.callTool('file:edit', edit);
    expect(asked.status).toBe(202);
    const page = await stage.visit('approvals');
    await page.getByLabel('Difference').waitFor();
    expect(await page.getByLabel('Difference').innerText()).toBe('- The old words.\n+ The new words.');
    await page.keyboard.press('a');
    await page.getByText('No pending requests.').waitFor();
    const {task_id, run_id, session_id} = asked.body;
    const again = await stage.callTool('file:edit', {task_id, run_id, session_id, input: edit.input});
    expect(again).toMatchObject({status: 200, body: {success: true}});
    await page.context().close();
  });

  test('an agent that waits as an MCP client continues after the operator has approved', async () => {
    const client = createClient('modern');
    await connectDesk(stage.host.workspaceRoot, client);
    const call = (): Promise<CallToolResult> =>
      client.callTool({
        name: 'file_edit',
        arguments: {path: 'docs/guide.md', old_text: '# Guide', new_text: '# The\u202E guide'},
      });
    const page = await stage.visit('approvals');
    const {details} = (await call()).structuredContent as {readonly details: {readonly request_id: string}};
    // What would turn the direction of writing is seen, not obeyed.
    await page.getByLabel('Difference').getByText('+ # The\\u202e guide').waitFor();
    await page.keyboard.press('a');
    await page.getByText('No pending requests.').waitFor();
    const [reported] = (await client.readResource({uri: `approval://${details.request_id}`})).contents;
    expect(JSON.stringify(reported)).toContain('olga');
    expect((await call()).isError ?? false).toBe(false);
    await client.close();
    await page.context().close();
  });

  test('of two browsers that answer at the same time, one is shown that it was answered; a rejection needs its reason', async () => {
    await stage.callTool('file:edit', {...edit, input: {...edit.input, old_text: 'Guide'}});
    const pages = await Promise.all([stage.visit('approvals'), stage.visit('approvals')]);
    const [first, second] = pages;
    await Promise.all(pages.map((page) => page.getByLabel('Difference').waitFor()));
    await first?.keyboard.press('r');
    await first?.getByText('give a reason').waitFor();
    // Both requests leave before either answer can be seen by the other.
    await second?.route('**/v1/events', (route) => route.abort());
    await Promise.all([
      first?.getByRole('button', {name: 'Approve'}).click(),
      second?.getByRole('button', {name: 'Approve'}).click(),
    ]);
    await first
      ?.getByText(/No pending requests|already|was answered/)
      .first()
      .waitFor();
    await second
      ?.getByText(/No pending requests|already|was answered/)
      .first()
      .waitFor();
    const resolved = await stage.host.runtime.events.read({types: ['approval_resolved']});
    expect(resolved).toHaveLength(3);
    for (const page of pages) await page.context().close();
  });

  test('calls appear as they come, and what a caller wrote is text', async () => {
    const page = await stage.visit('calls');
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    const before = await page.getByRole('row').count();
    await stage.callTool('file:read', {lane: 'docs', input: {path: 'README.md'}});
    await expect.poll(() => page.getByRole('row').count(), {timeout: 60_000}).toBe(before + 1);
    await page.context().close();
  });

  test('a text of several lines is displayed unchanged', async () => {
    const page = await stage.visit(`receipts/${readId}`);
    expect(await page.getByLabel('text', {exact: true}).innerText()).toContain('# Guide\n\nThe old words.\n');
    expect(await page.getByLabel('Input', {exact: true}).innerText()).toContain('"path": "docs/guide.md"');
    await page.context().close();
  });

  test('the token is in no address and gone from the tab after signing out', async () => {
    const page = await stage.visit('calls');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.reload();
    await heading(page, 'Calls');
    expect(addresses.length).toBeGreaterThan(3);
    expect(addresses.filter((address) => address.includes(stage.operatorToken))).toEqual([]);
    await page.getByRole('button', {name: 'Sign out'}).click();
    await page.getByLabel('Token').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.getByLabel('Token').fill(stage.agentToken);
    await page.keyboard.press('Enter');
    await page.getByText('the dashboard requires a token with role operator').waitFor();
    await page.getByLabel('Token').fill('lf_unknown');
    await page.keyboard.press('Enter');
    await page.getByText('this token is not valid').waitFor();
    await page.context().close();
  });

  test('a page of another site can neither ask, act nor frame, even with the token', async () => {
    const page = await stage.visitForeign();
    const tasks = stage.host.runtime.listTasks().length;
    const body = JSON.stringify({id: 'forged', lane_id: 'docs'});
    const tried = await page.evaluate<readonly unknown[]>(`(async () => {
      const address = ${JSON.stringify(`${stage.server.url}/v1/tasks`)};
      const headers = {authorization: 'Bearer ${stage.operatorToken}', 'content-type': 'application/json'};
      const reported = (sent) => sent.then(({status}) => status, () => 'refused');
      return [
        await reported(fetch(address, {headers})),
        await reported(fetch(address, {method: 'POST', headers, body: '${body}'})),
        await reported(fetch(address, {method: 'POST', mode: 'no-cors', credentials: 'include', body: '${body}'})),
      ];
    })()`);
    expect(tried).toEqual(['refused', 'refused', 'refused']);
    expect(stage.host.runtime.listTasks()).toHaveLength(tasks);
    const [response] = await Promise.all([
      page.waitForResponse(`${stage.server.url}/`),
      page.evaluate(
        `document.body.append(Object.assign(document.createElement('iframe'), {src: '${stage.server.url}/'}))`,
      ),
    ]);
    expect((await response.allHeaders())['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(await page.frames().at(-1)?.locator('#app').count()).toBe(0);
    await page.context().close();
  });

  test('the board shows a task’s session, its state in the pack’s words, its duration, and that the lane is full', async () => {
    const page = await stage.visit('tasks');
    const lane = page.locator('section.lane', {hasText: 'Core'});
    await lane.getByText('1 of 1 in progress').waitFor();
    await lane.getByText(/^bob, in progress, (?:now|\d+ min)$/).waitFor();
    await stage.host.runtime.blockTask({task_id: 'read-it-again', reason: 'nothing to read'});
    await lane.getByText('nothing to read').waitFor();
    await page.context().close();
  });

  test('the policy explorer says what would happen, with nothing recorded', async () => {
    const page = await stage.visit('policy');
    await page.getByLabel('Tool').fill('file:delete');
    await page.getByLabel('Input').fill('{"path": "docs/guide.md"}');
    const before = (await stage.host.runtime.evidence.readTraces()).receipts.length;
    await page.getByRole('button', {name: 'Explain'}).click();
    await page.getByText('files are not deleted here').first().waitFor();
    expect((await stage.host.runtime.evidence.readTraces()).receipts).toHaveLength(before);
    await page.context().close();
  });

  test('with the keyboard alone: in, to a receipt, back, to what policy says of a tool, out', async () => {
    const page = await stage.visit('calls');
    const link = page.getByRole('link', {name: 'file:delete'}).first();
    await link.waitFor();
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');
    for (let presses = 0; presses < 60 && (await focused()) !== 'file:delete'; presses += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await heading(page, 'Receipt');
    expect(await page.title()).toBe('Receipt · LumenFlow');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('link', {name: 'Calls'}).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Calls');
    await page.getByRole('link', {name: 'Policy'}).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Tool').focus();
    await page.keyboard.type('file:delete');
    await page.keyboard.press('Enter');
    await page.getByText('files are not deleted here').first().waitFor();
    await page.getByRole('button', {name: 'Sign out'}).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Token').waitFor();
    await page.context().close();
  });

  describe.each([
    ['dark', {colorScheme: 'dark', viewport: {width: 1280, height: 800}}],
    ['light', {colorScheme: 'light', viewport: {width: 1280, height: 800}}],
    ['phone', {colorScheme: 'light', viewport: {width: 375, height: 720}}],
  ] as const)('on a screen that is %s', (kind, options) => {
    let page: Page;
    beforeAll(async () => {
      page = await stage.visit('calls', options);
    });
    afterAll(() => page.context().close());

    test.each([
      ['calls', 'Calls', () => 'calls'],
      ['approvals', 'Approvals', () => 'approvals'],
      ['changes', 'Changes', () => 'changes'],
      ['receipt', 'Receipt', () => `receipts/${deniedId}`],
      ['tasks', 'Tasks', () => 'tasks'],
      ['task', 'Task', () => `tasks/${taskId}`],
      ['policy', 'Policy', () => 'policy'],
      ['packs', 'Packs', () => 'packs'],
      ['health', 'Health', () => 'health'],
    ])('%s is whole, accessible, and all of it in reach of the keyboard', async (name, title, place) => {
      if (name === 'approvals')
        await stage.callTool('file:edit', {...edit, input: {path: 'docs/guide.md', ...rewrite(kind)}});
      await page.evaluate(`location.hash = '#/${place()}'`);
      await heading(page, title);
      await ask[name]?.(page);
      await settled(page);
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      if (pictures.includes(`${name}-${kind}`)) await page.screenshot({path: join(screenshots, `${name}-${kind}.png`)});
      expect(await unreachableByKeyboard(page)).toEqual([]);
    });
  });

  test('no page broke, and none met its policy of contents', () => {
    expect(stage.complaints).toEqual([]);
  });
});
