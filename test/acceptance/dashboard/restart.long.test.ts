// The notice that the host must restart, in Chromium.
import {appendFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';

describe.skipIf(chromiumPath === undefined)('the dashboard (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  beforeAll(async () => {
    stage = await openDashboardStage(chromiumPath ?? '');
  });
  afterAll(async () => await stage.close());

  test('says on every page that workspace.yaml has changed and the host must restart', async () => {
    const page = await stage.visit('tasks');
    const notice = page.getByRole('status').getByText('workspace.yaml has changed since it was loaded');
    expect(await notice.count()).toBe(0);
    appendFileSync(join(stage.host.workspaceRoot, 'workspace.yaml'), '\n# changed\n');
    await notice.waitFor();
    await page.getByRole('link', {name: 'Packs'}).click();
    await page.getByRole('heading', {name: 'Packs'}).waitFor();
    await notice.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const health = await fetch(`${stage.server.url}/healthz`);
    expect(await health.json()).toMatchObject({workspace: 'changed'});
  });
});
