// The dashboard in a real Chromium, on a real host with a pack, a server and tokens.
import {openTokenStore, startHttpServer, type Host, type HttpServer} from '@lumenflow/host';
import {accessSync, constants} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {delimiter, join} from 'node:path';
import type {Approvers, WorkspaceSpec} from '@lumenflow/schemas';
import {chromium, type Browser, type BrowserContextOptions, type Page} from 'playwright-core';
import {makeHostWorkspace, type HostWorkspace} from './host-workspace.ts';

export interface DashboardStage {
  readonly host: Host;
  readonly server: HttpServer;
  readonly operatorToken: string;
  readonly agentToken: string;
  /** As the agent, over HTTP. */
  callTool(name: string, body: object): Promise<{readonly status: number; readonly body: Record<string, unknown>}>;
  /** A separate browser, signed in; errors of its console are collected in `complaints`. */
  visit(place: string, options?: BrowserContextOptions, url?: string): Promise<Page>;
  /** A separate browser at a page of another site. */
  visitForeign(): Promise<Page>;
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Undefined where there is none: `apt-get install chromium` brings one. */
export const chromiumPath: string | undefined = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

export async function openDashboardStage(
  executablePath: string,
  approvals?: WorkspaceSpec['approvals'],
  approvers?: Approvers,
): Promise<DashboardStage> {
  const workspace = makeDashboardWorkspace(approvals, approvers);
  const host = await workspace.start();
  const tokens = openTokenStore(workspace.root);
  const server = await startHttpServer(host, {tokens, version: '0.1.0'});
  const operatorToken = await tokens.issue({name: 'olga', role: 'operator'});
  const agentToken = await tokens.issue({name: 'ann', role: 'agent'});
  const browser: Browser = await chromium.launch({executablePath, args: ['--no-sandbox']});
  const complaints: string[] = [];
  // Pages that are not on this machine the browser itself keeps from it.
  const elsewhere = createServer((_request, response) => response.end('another site')).listen(0, '127.0.0.1');
  return {
    host,
    server,
    operatorToken,
    agentToken,
    complaints,
    async callTool(name, body) {
      const headers = {authorization: `Bearer ${agentToken}`, 'content-type': 'application/json'};
      const sent = await fetch(`${server.url}/v1/tools/${name}`, {method: 'POST', headers, body: JSON.stringify(body)});
      return {status: sent.status, body: (await sent.json()) as Record<string, unknown>};
    },
    async visit(place, options = {}, url = server.url) {
      const page = await (await browser.newContext({viewport: {width: 1280, height: 800}, ...options})).newPage();
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (/Content Security Policy|TrustedHTML/.test(message.text())) complaints.push(message.text());
      });
      await page.goto(`${url}/#/${place}`);
      await page.getByLabel('Token').fill(operatorToken);
      await page.keyboard.press('Enter');
      await page.getByRole('navigation', {name: 'Pages', exact: true}).waitFor();
      return page;
    },
    async visitForeign() {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
      return page;
    },
    async close() {
      await browser.close();
      elsewhere.close();
      await server.close();
      await workspace.remove();
    },
  };
}

function makeDashboardWorkspace(
  approvals: WorkspaceSpec['approvals'],
  approvers: Approvers | undefined,
): HostWorkspace {
  return makeHostWorkspace({
    copied: {notes: join(import.meta.dirname, '..', 'acceptance', 'dashboard', 'notes-pack')},
    pins: {notes: {trust: 'in_process'}},
    files: {'docs/guide.md': '# Guide\n\nThe old words.\n', 'README.md': 'Hello\n'},
    spec: {
      ...(approvals && {approvals}),
      lanes: [
        {
          id: 'docs',
          title: 'Docs and examples',
          // One token can have half of them as sessions.
          wip_limit: 16,
          allowed_scopes: [
            {type: 'path', pattern: '**', access: 'read'},
            {type: 'path', pattern: 'docs/**', access: 'write'},
          ],
        },
        {id: 'core', title: 'Core', wip_limit: 1, allowed_scopes: [{type: 'path', pattern: '**', access: 'write'}]},
      ],
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'edits-are-looked-at',
            trigger: 'on_tool_request',
            decision: 'approval_required',
            reason: 'a person looks at every edit',
            when: {tool: 'file:edit'},
            ...(approvers && {approvers}),
          },
          {
            id: 'nobody-deletes',
            trigger: 'on_tool_request',
            decision: 'deny',
            reason: 'files are not deleted here',
            when: {tool: 'file:delete'},
          },
          {
            id: 'legal-texts-are-read-twice',
            trigger: 'on_changes',
            decision: 'approval_required',
            reason: 'a person reads what changes in legal texts',
            when: {changes: {any: {path: 'docs/legal/**'}}},
          },
        ],
      },
    },
  });
}
