// Runs of programs in Chromium: their list, and the graph of one while it runs, waits and ends.
import {resumeProgram, runProgram} from '@lumenflow/host/exec';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {axeViolations} from '../../support/axe-violations.ts';
import {chromiumPath, openDashboardStage, type DashboardStage} from '../../support/dashboard-stage.ts';

const text = `
name: guide-review
description: Reads the guide several times, then asks a person.
steps:
  - foreach: '["docs/guide.md", "README.md"]'
    item: path
    max: 5
    parallel: 2
    steps:
      - call: file:read
        args: {path: '\${path}'}
        as: found
  - if: size("LumenFlow") > 3
    then:
      - parallel:
          - - call: file:read
              args: {path: README.md}
          - - call: file:read
              args: {path: docs/guide.md}
      - wait_for_approval: The guide is read. Continue?
    else:
      - return: nothing to read
  - try:
      - call: file:read
        args: {path: docs/missing.md}
    catch:
      - return: the file is missing
`;

describe.skipIf(chromiumPath === undefined)('programs (needs Chromium: apt-get install chromium)', () => {
  let stage: DashboardStage;
  beforeAll(async () => {
    stage = await openDashboardStage(chromiumPath ?? '');
  });
  afterAll(async () => await stage.close());

  test('the graph shows each step, its receipts, what it waits for, and changes while it is open', async () => {
    const {host} = stage;
    const from = {by: 'ann', surface: 'cli' as const, lane: 'docs'};
    const started = await runProgram(host, {program: {file: 'review.yaml', text}, ...from});
    if (!started.ok) throw new Error(started.problem.message);
    const {run_id, state, approvals = []} = started.value;
    expect(state).toBe('waiting');

    const page = await stage.visit('programs');
    await page.getByRole('link', {name: 'guide-review'}).click();
    const graph = page.getByRole('region', {name: 'Graph of the steps'});
    await graph.getByText('wait_for_approval The guide is read. Continue?').waitFor();
    await graph.getByRole('link', {name: 'answer the request'}).waitFor();
    await graph.getByText('not begun').first().waitFor();
    await graph.getByText('2 times').first().click();
    expect(await graph.locator('details a').count()).toBeGreaterThan(0);
    expect(await axeViolations(page)).toEqual([]);

    expect(
      await host.runtime.resolveApproval({request_id: approvals[0] ?? '', approved: true, approved_by: 'olga'}),
    ).toMatchObject({success: true});
    expect(await resumeProgram(host, {run_id, ...from})).toMatchObject({ok: true, value: {state: 'succeeded'}});
    await graph.getByText('return the file is missing').waitFor();
    await page.getByRole('region', {name: 'Value'}).getByText('the file is missing').waitFor({timeout: 60_000});
    expect(await graph.getByText('answer the request').count()).toBe(0);
    await graph.locator('.step.failed').first().waitFor();

    await graph.locator('.node a').first().click();
    await page.getByRole('heading', {name: 'Receipt'}).waitFor();
    await page.goBack();
    await page.getByRole('link', {name: run_id}).click();
    await page.getByRole('link', {name: 'steps of the program'}).waitFor();
    await page.context().close();
    expect(stage.complaints).toEqual([]);
  });

  test('a phone shows the whole graph by scrolling it alone', async () => {
    const page = await stage.visit('programs', {viewport: {width: 390, height: 844}});
    await page.getByRole('link', {name: 'guide-review'}).click();
    await page.getByRole('region', {name: 'Graph of the steps'}).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.context().close();
  });
});
