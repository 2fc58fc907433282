// The dashboard in a real Chromium on a log of 100,000 calls: the time until rows appear, and the smoothness of the page while
// calls arrive.
import {openTokenStore, startHost, startHttpServer, type Host} from '@lumenflow/host';
import {join} from 'node:path';
import {chromium, type Browser, type Page} from 'playwright-core';
import {chromiumPath} from '../support/dashboard-stage.ts';
import {makeBenchWorkspace, type BenchWorkspace} from './bench-workspace.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {median, quantile} from './statistics.ts';
import {writeLongLog} from './write-long-log.ts';
import {opened} from '../support/opened.ts';

const callsPerSecond = 100;
/** Frames of 60 Hz may be this late before an eye sees it. */
const frameMsMax = 50;

export async function* dashboardFigures(effort: Effort): AsyncGenerator<Figure> {
  if (chromiumPath === undefined) {
    effort.report('the dashboard is not measured, for want of Chromium: apt-get install chromium');
    return;
  }
  const workspace = await makeBenchWorkspace();
  const calls = operations(effort, 100_000);
  await prepareLog(workspace.root, 2 * calls);
  const browser = await chromium.launch({executablePath: chromiumPath, args: ['--no-sandbox']});
  const host = await startHost({workspaceRoot: workspace.root, env: process.env});
  try {
    yield* measurePages(effort, {workspace, host, browser, calls});
  } finally {
    await browser.close();
    await host.close();
    workspace.remove();
  }
}

/** Signed and indexed, as one is that was in use. */
async function prepareLog(root: string, records: number): Promise<void> {
  writeLongLog(join(root, '.lumenflow/kernel/evidence/traces'), records);
  const host = await startHost({workspaceRoot: root, env: process.env});
  await host.runtime.evidence.checkpoint();
  await host.runtime.evidence.readTraces({limit: 1});
  await host.close();
}

interface Stage {
  readonly workspace: BenchWorkspace;
  readonly host: Host;
  readonly browser: Browser;
  readonly calls: number;
}

async function* measurePages(effort: Effort, {workspace, host, browser, calls}: Stage): AsyncGenerator<Figure> {
  const tokens = openTokenStore(workspace.root);
  const server = await startHttpServer(host, {tokens, version: '0.0.0'});
  const token = await tokens.issue({name: 'olga', role: 'operator'});
  try {
    const page = await (await browser.newContext({viewport: {width: 1280, height: 800}})).newPage();
    await page.goto(server.url);
    const open = await timeToRows(page, async () => {
      await page.getByLabel('Token').fill(token);
      await page.keyboard.press('Enter');
    });
    const words = `of ${calls.toLocaleString('en')} calls`;
    yield figure({id: 'open', title: `the feed ${words}, from signing in to its rows`, values: [open], limit: 2_000});
    const clicks: number[] = [];
    for (let turn = 0; turn < 5 * effort.runs; turn += 1) clicks.push(await timeOfClick(page));
    yield figure({id: 'page', title: `a page of 100 ${words}, from the click to its rows`, values: clicks, limit: 300});
    await page.getByRole('button', {name: 'Newest'}).click();
    const still = await framesOf(page, effort);
    const end = await callSteadily(host);
    const before = await firstRow(page);
    const busy = await framesOf(page, effort);
    if ((await firstRow(page)) === before) throw new Error('no call came to the feed');
    await end();
    const slow = ({frames}: Frames): readonly number[] => [quantile(frames, 0.95)];
    const title = `a frame of the feed under ${callsPerSecond} calls/s, 95 of 100`;
    yield {
      ...figure({id: 'frames', title, values: slow(busy), limit: frameMsMax}),
      baseline: {title: 'while nothing comes', ...measured(slow(still))},
    };
    yield figure({
      id: 'longest',
      title: 'the longest time that its page was blocked',
      values: [Math.max(0, ...busy.blocked)],
      limit: 200,
    });
  } finally {
    await server.close();
  }
}

interface FigureWords {
  readonly id: string;
  readonly title: string;
  readonly values: readonly number[];
  readonly limit: number;
}

function figure({id, title, values, limit}: FigureWords): Figure {
  const bar = {of: 'value', limit} as const;
  return {id: `dashboard.${id}`, title, unit: 'ms', runs: values.length, ...measured(values), bar};
}

function measured(values: readonly number[]): Pick<Figure, 'p50' | 'p95'> {
  return {p50: median(values), p95: quantile(values, 0.95)};
}

async function firstRow(page: Page): Promise<string | null> {
  return await page.locator('table.calls tbody a').first().getAttribute('href');
}

async function timeToRows(page: Page, act: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await act();
  await page.locator('table.calls tbody tr').first().waitFor({timeout: 120_000});
  return performance.now() - startMs;
}

/** Measured in the page: until a frame in which the first row is another one. */
async function timeOfClick(page: Page): Promise<number> {
  return await page.evaluate<number>(`(async () => {
    const first = () => document.querySelector('table.calls tbody a')?.getAttribute('href');
    const before = first();
    const button = [...document.querySelectorAll('.pager button')].find(({textContent}) => textContent === 'Older');
    const startMs = performance.now();
    button.click();
    while (first() === undefined || first() === before) await new Promise(requestAnimationFrame);
    return performance.now() - startMs;
  })()`);
}

interface Frames {
  readonly frames: readonly number[];
  /** How long each task of the page took that kept it from drawing for more than 50 ms. */
  readonly blocked: readonly number[];
}

async function framesOf(page: Page, effort: Effort): Promise<Frames> {
  return await page.evaluate<Frames>(`(async () => {
    const blocked = [];
    const observer = new PerformanceObserver((list) => blocked.push(...list.getEntries().map(({duration}) => duration)));
    observer.observe({type: 'longtask'});
    const frames = [];
    const endMs = performance.now() + ${operations(effort, 10_000)};
    for (let before = performance.now(); before < endMs; ) {
      const now = await new Promise(requestAnimationFrame);
      if (now > before) frames.push(now - before);
      before = now;
    }
    observer.disconnect();
    return {frames, blocked};
  })()`);
}

/** Calls at a steady rate until the returned function is called. */
async function callSteadily(host: Host): Promise<() => Promise<void>> {
  const session = opened(await host.openSession({by: 'bench'}));
  const running = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    const call = session.call('noop:read', {path: 'a/b'});
    running.add(call);
    void call.finally(() => running.delete(call));
  }, 1_000 / callsPerSecond);
  return async () => {
    clearInterval(timer);
    await Promise.all(running);
  };
}
