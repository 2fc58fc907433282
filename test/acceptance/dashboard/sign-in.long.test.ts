// People who sign in at a real issuer: in Chromium, and from the command line with a device code.
import {openTokenStore, startHttpServer, type HttpServer} from '@lumenflow/host';
import type {ToolFailure} from '@lumenflow/schemas';
import {once} from 'node:events';
import {createServer, type AddressInfo} from 'node:net';
import {chromium, type Browser, type Page} from 'playwright-core';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {chromiumPath} from '../../support/dashboard-stage.ts';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {deviceLogin} from '../../support/device-login.ts';
import {runProgram} from '../../support/lumenflow-program.ts';
import {startTestIssuer, type TestIssuer} from '../../support/test-issuer.ts';

let issuer: TestIssuer;
let workspace: HostWorkspace;
let server: HttpServer;
beforeEach(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  issuer = await startTestIssuer([`${url}/signed-in`]);
  workspace = makeHostWorkspace({
    files: {'README.md': 'Hello\n'},
    firstParty: ['software-delivery'],
    spec: {
      sign_in: {...issuer.settings, roles: {admin: ['platform'], operator: ['staff']}},
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'writes-are-looked-at',
            trigger: 'on_tool_request',
            decision: 'approval_required',
            reason: 'a person looks at every write',
            when: {tool: 'file:write'},
          },
        ],
      },
    },
  });
  const host = await workspace.start();
  const tokens = openTokenStore(workspace.root);
  server = await startHttpServer(host, {tokens, version: '0.0.0', port, env: issuer.env});
});
afterEach(async () => {
  await server.close();
  await workspace.remove();
  await issuer.close();
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const {port} = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

describe.skipIf(chromiumPath === undefined)('in Chromium (needs it: apt-get install chromium)', () => {
  let browser: Browser;
  let complaints: string[];
  beforeEach(async () => {
    complaints = [];
    browser = await chromium.launch({executablePath: chromiumPath ?? '', args: ['--no-sandbox']});
  });
  afterEach(async () => await browser.close());

  async function openPage(address: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML/.test(message.text())) complaints.push(message.text());
    });
    await page.goto(address);
    return page;
  }

  /** At the issuer: its pages for development. */
  async function enter(page: Page, subject: string): Promise<void> {
    await page.getByRole('button', {name: 'Sign in with your organization'}).click();
    await page.locator('input[name=login]').fill(subject);
    await page.locator('input[name=password]').fill('x');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]').click();
  }

  const pages = (page: Page): Promise<void> => page.getByRole('navigation', {name: 'Pages', exact: true}).waitFor();

  test('a person signs in, reaches the page that was asked for, and is out once an admin says so', async () => {
    const page = await openPage(`${server.url}/#/approvals`);
    await page.getByRole('button', {name: 'Sign in with your organization'}).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await enter(page, 's-1');
    await pages(page);
    expect(page.url()).toBe(`${server.url}/#/approvals`);
    expect(await page.locator('.caller').innerText()).toContain('lea operator');
    // Cookies of the issuer are sent here too, because browsers ignore ports.
    const cookies = await page.context().cookies(server.url);
    expect(cookies.filter(({name}) => !name.startsWith('_session'))).toEqual([]);
    await page.reload();
    await pages(page);
    const done = await runProgram(['people', 'sign-out', 'lea', '--reason', 'she left'], {cwd: workspace.root});
    expect(done.stderr).toContain('signed out lea on all hosts');
    await page.getByText('this token is not valid, or your sign-in has ended').waitFor({timeout: 60_000});
    expect(complaints).toEqual([]);
  });

  test('a person who signs out is out, and a stolen answer does not work in another tab', async () => {
    const page = await openPage(`${server.url}/`);
    let answer = '';
    page.on('request', (request) => {
      if (request.url().includes('/signed-in?')) answer = request.url();
    });
    await enter(page, 's-1');
    await pages(page);
    const token = await page.evaluate<string | null>("sessionStorage.getItem('lumenflow-token')");
    await page.getByRole('button', {name: 'Sign out'}).click();
    await page.getByLabel('Token').waitFor();
    const headers = {authorization: `Bearer ${token ?? ''}`};
    expect((await fetch(`${server.url}/v1/caller`, {headers})).status).toBe(401);
    expect(answer).toContain('code=');
    const other = await openPage(answer);
    await other.getByText('this tab did not start a sign-in: start it here').waitFor();
    expect(other.url()).toBe(`${server.url}/`);
  });

  test('a person without a group reads why', async () => {
    const page = await openPage(`${server.url}/`);
    await enter(page, 's-3');
    await page.getByText('`eve` is in no group that `sign_in.roles` of workspace.yaml names: ask an admin').waitFor();
  });
});

describe('from the command line', () => {
  const run = (...args: readonly string[]): ReturnType<typeof runProgram> =>
    runProgram(args, {cwd: workspace.root, env: issuer.env});

  const login = (subject: string): Promise<Record<string, unknown>> =>
    deviceLogin(issuer, {cwd: workspace.root, env: issuer.env}, subject);

  test('a person who signed in decides, and the record names the person', async () => {
    const asked = await run('tools', 'call', 'file:write', 'path=a.txt', 'content=x', '--as', 'agent-1', '--json');
    const {error} = JSON.parse(asked.stdout) as {readonly error: ToolFailure};
    expect(error).toMatchObject({code: 'APPROVAL_REQUIRED'});
    const request_id = String(error.details?.['request_id']);
    const before = await run('approvals', 'approve', request_id, '--as', 'lea');
    expect(before.stderr).toContain('in this workspace, people sign in before they decide');
    expect(before.stderr).toContain('lumenflow login');
    expect(await login('s-1')).toMatchObject({ok: true, name: 'lea', role: 'operator'});
    const asOther = await run('approvals', 'approve', request_id, '--as', 'max');
    expect(asOther.stderr).toContain('you are signed in as `lea`, not as `max`');
    const approved = await run('approvals', 'approve', request_id, '--json');
    const person = {issuer: issuer.url, subject: 's-1', display_name: 'lea Example'};
    expect(JSON.parse(approved.stdout)).toMatchObject({approval: {resolved_by: 'lea', resolved_by_person: person}});
    const read = await run('tools', 'call', 'file:read', 'path=README.md', '--json');
    const {receipt_id} = JSON.parse(read.stdout).metadata as {readonly receipt_id: string};
    expect((await run('evidence', 'show', receipt_id)).stdout).toContain('lea Example');
    expect((await run('evidence', 'verify')).code).toBe(0);
    expect((await run('logout')).stderr).toContain('signed out lea');
    expect((await run('approvals', 'reject', request_id)).stderr).toContain('lumenflow login');
    expect((await run('logout')).stderr).toContain('no one is signed in');
  });

  test('a person without a group is refused', async () => {
    expect(await login('s-3')).toMatchObject({ok: false, error: {code: 'SIGN_IN_DENIED'}});
  });
});
