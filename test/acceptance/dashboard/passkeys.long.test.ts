// Passkeys in Chromium, with its virtual authenticator: added, signing an approval, removed; and what the page says where that is not possible.
import type {CDPSession, Page} from 'playwright-core';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';
import {unreachableByKeyboard} from '../../support/unreachable-by-keyboard.ts';

const phone = {viewport: {width: 390, height: 844}, hasTouch: true};

interface Authenticator {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

describe.skipIf(chromiumPath === undefined)('passkeys (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  beforeEach(async () => {
    stage = await openDashboardStage(chromiumPath ?? '', undefined, {passkey: true});
  });
  afterEach(async () => await stage.close());

  /** As a laptop with a fingerprint reader has one. */
  async function authenticatorOf(page: Page): Promise<Authenticator> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const {authenticatorId} = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return {cdp, authenticatorId};
  }

  /** On localhost, because browsers bind passkeys to host names. */
  const visit = (place: string, options = {}): Promise<Page> =>
    stage.visit(place, options, stage.server.url.replace('127.0.0.1', 'localhost'));

  async function request(): Promise<string> {
    const input = {path: 'docs/page.md', old_text: 'a', new_text: 'b'};
    return String((await stage.callTool('file:edit', {lane: 'docs', input})).body['request_id']);
  }

  async function add(page: Page, label: string): Promise<void> {
    await page.getByLabel('Name of the passkey').fill(label);
    await page.getByRole('button', {name: 'Add a passkey'}).click();
    await page.getByRole('status').getByText(`Added “${label}”.`).waitFor();
  }

  test('a person adds one, signs an approval with the keyboard alone, and removes it', async () => {
    const request_id = await request();
    const page = await visit('approvals');
    await authenticatorOf(page);
    await page.getByText('This approval must be signed with a passkey. Add a passkey first.').waitFor();
    expect(await page.getByRole('button', {name: 'Approve with passkey'}).isDisabled()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('a');
    await page.getByRole('link', {name: 'Add a passkey'}).press('Enter');
    await page.getByRole('heading', {name: 'Passkeys of olga'}).waitFor();
    await page.getByText('You have no passkey.').waitFor();
    await page.getByRole('button', {name: 'Add a passkey'}).press('Enter');
    await page.getByText('give the passkey a name').waitFor();
    await page.keyboard.type('My laptop');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Added “My laptop”.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await unreachableByKeyboard(page)).toEqual([]);
    expect(stage.host.runtime.people.listPasskeys()).toMatchObject([
      {name: 'olga', label: 'My laptop', rp_id: 'localhost'},
    ]);

    await page.goto(`${page.url().split('#')[0]}#/approvals/${request_id}`);
    await page.getByRole('button', {name: 'Approve with passkey'}).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('status').getByText('Approved file:edit docs/page.md').waitFor();
    const [approval] = stage.host.runtime.listApprovals();
    expect(approval).toMatchObject({state: 'approved', resolved_by: 'olga', answers: [{by: 'olga'}]});
    await stage.host.runtime.evidence.checkpoint();
    const report = await stage.host.runtime.evidence.verify();
    expect(report).toMatchObject({status: 'verified', signed_approvals: 1, findings: []});

    await page.goto(`${page.url().split('#')[0]}#/passkeys`);
    await page.getByText(/last used \d/).waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', {name: 'Remove My laptop'}).press('Enter');
    await page.getByRole('status').getByText('Removed “My laptop”.').waitFor();
    await page.getByText('You have no passkey.').waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('status');
    await stage.host.runtime.evidence.checkpoint();
    expect(await stage.host.runtime.evidence.verify()).toMatchObject({status: 'verified', signed_approvals: 1});
    expect(stage.complaints).toEqual([]);
  });

  test('without the fingerprint nothing is approved, and the page says so; the second attempt counts', async () => {
    await request();
    const page = await visit('passkeys');
    const {cdp, authenticatorId} = await authenticatorOf(page);
    await add(page, 'My laptop');
    await page.goto(`${page.url().split('#')[0]}#/approvals`);
    await cdp.send('WebAuthn.setUserVerified', {authenticatorId, isUserVerified: false});
    await page.getByRole('button', {name: 'Approve with passkey'}).click();
    await page.getByRole('alert').getByText('no passkey was used').waitFor();
    expect(stage.host.runtime.listApprovals({state: 'pending'})).toHaveLength(1);
    await cdp.send('WebAuthn.setUserVerified', {authenticatorId, isUserVerified: true});
    await page.getByRole('button', {name: 'Approve with passkey'}).click();
    await page.getByRole('status').getByText('Approved').waitFor();
  });

  test('an authenticator keeps one passkey of a person; one that lost it signs nothing', async () => {
    await request();
    const page = await visit('passkeys');
    const {cdp, authenticatorId} = await authenticatorOf(page);
    await add(page, 'My laptop');
    await page.getByLabel('Name of the passkey').fill('Again');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('this authenticator already has one of your passkeys').waitFor();
    await cdp.send('WebAuthn.clearCredentials', {authenticatorId});
    await page.goto(`${page.url().split('#')[0]}#/approvals`);
    await page.getByRole('button', {name: 'Approve with passkey'}).click();
    await page.getByRole('alert').getByText('no passkey was used').waitFor();
    await page.getByLabel('Reason').fill('not now');
    await page.getByRole('button', {name: 'Reject'}).click();
    await page.getByRole('status').getByText('Rejected').waitFor();
  });

  test('at an IP address, the page says where passkeys work', async () => {
    const request_id = await request();
    const here = await stage.visit('passkeys');
    const {port} = new URL(stage.server.url);
    const none = 'No passkey can be added here: passkeys need a host name:';
    await here.getByText(`${none} open http://localhost:${port} instead.`).waitFor();
    const page = await visit('passkeys');
    await authenticatorOf(page);
    await add(page, 'My laptop');
    await here.goto(`${stage.server.url}/#/approvals`);
    await here
      .getByText(`This approval must be signed with a passkey, and yours sign at http://localhost:${port} only.`)
      .waitFor();
    const link = here.getByRole('link', {name: `http://localhost:${port}`});
    expect(await link.getAttribute('href')).toBe(`http://localhost:${port}/#/approvals/${request_id}`);
  });

  test('on a phone and in the dark', async () => {
    const page = await visit('passkeys', {...phone, colorScheme: 'dark' as const});
    await authenticatorOf(page);
    await add(page, 'A phone with a name that is as long as names may be, 64 charac');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
  });
});
