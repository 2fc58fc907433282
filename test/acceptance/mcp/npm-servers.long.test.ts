// Servers from npm that keep state: it stays for a session inside the sandbox, and ends with it. They are installed on first use.
import type {Host, Session} from '@lumenflow/host';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {must, type HostWorkspace} from '../../support/host-workspace.ts';
import {npmServer, npmServerObstacle, pinNpmServer} from '../../support/npm-servers.ts';
import {opened} from '../../support/opened.ts';
import {makeUpstream, run} from '../../support/upstream-workspace.ts';

const browserObstacle = npmServerObstacle(npmServer('playwright'));
if (browserObstacle !== undefined) process.stderr.write(`skipped: a browser: ${browserObstacle}\n`);

describe('a server from npm that keeps state', () => {
  let workspace: HostWorkspace;
  let host: Host;
  beforeAll(async () => {
    const ids = ['thinking', 'memory', ...(browserObstacle === undefined ? ['playwright'] : [])];
    const tools: Readonly<Record<string, readonly string[]>> = {
      memory: ['create_entities', 'read_graph'],
      playwright: ['browser_navigate', 'browser_evaluate'],
    };
    workspace = makeUpstream((root) => ids.map((id) => pinNpmServer(npmServer(id), root, tools[id])));
    expect(await run(workspace.root, 'pack', 'install')).not.toContain('"error"');
    for (const id of ids) await run(workspace.root, 'pack', 'approve', id, '--as', 'olga');
    host = await workspace.start();
  });
  afterAll(async () => {
    await workspace.remove();
  });

  const open = async (): Promise<Session> => opened(await host.openSession({by: 'ann'}));
  /** What a text of the result is in the session that wrote the state, and in another one. */
  async function inBoth(tool: string, input: object, write: (session: Session) => Promise<unknown>): Promise<string[]> {
    const [writer, other] = [await open(), await open()];
    await write(writer);
    return [JSON.stringify(await must(writer, tool, input)), JSON.stringify(await must(other, tool, input))];
  }

  it('thinks in steps', async () => {
    const thought = (thoughtNumber: number) => ({
      thought: 'a step',
      nextThoughtNeeded: true,
      thoughtNumber,
      totalThoughts: 3,
    });
    const [own, others] = await inBoth(
      'thinking:sequentialthinking',
      thought(2),
      async (session) => await must(session, 'thinking:sequentialthinking', thought(1)),
    );
    expect(own).toMatch(/thoughtHistoryLength\D+2/);
    expect(others).toMatch(/thoughtHistoryLength\D+1/);
  });

  it('remembers', async () => {
    const entities = [{name: 'Ada', entityType: 'person', observations: ['writes programs']}];
    const [own, others] = await inBoth(
      'memory:read-graph',
      {},
      async (session) => await must(session, 'memory:create-entities', {entities}),
    );
    expect([own?.includes('Ada'), others?.includes('Ada')]).toEqual([true, false]);
  });

  it.skipIf(browserObstacle !== undefined)('browses', async () => {
    const url = 'data:text/html,<title>A page of the test</title>';
    const [own, others] = await inBoth(
      'playwright:browser-evaluate',
      {function: '() => document.title'},
      async (session) => await must(session, 'playwright:browser-navigate', {url}),
    );
    expect([own?.includes('A page of the test'), others?.includes('A page of the test')]).toEqual([true, false]);
  });
});
