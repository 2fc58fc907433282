// A host whose tools are functions of a test, with a session and its facade, for the tests of one file.
import type {Host, LocalHandlers, Session} from '@lumenflow/host';
import {createExec, type Exec} from '@lumenflow/host/exec';
import {afterAll, beforeAll} from 'vitest';
import {makeHostWorkspace, type HostWorkspace, type HostWorkspaceWords} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

export interface HandlersWorkspace {
  readonly host: Host;
  /** Of `shop`. */
  readonly session: Session;
  readonly exec: Exec;
}

interface HandlersWords extends Pick<HostWorkspaceWords, 'copied'> {
  readonly handlers: LocalHandlers;
  /** Tools whose calls a person must approve. */
  readonly asks: string;
  readonly denies: string;
}

export function handlersWorkspace({handlers, asks, denies, ...words}: HandlersWords): HandlersWorkspace {
  let workspace: HostWorkspace | undefined;
  let started: HandlersWorkspace | undefined;
  beforeAll(async () => {
    const rule = {trigger: 'on_tool_request', reason: 'as the test wants'} as const;
    workspace = makeHostWorkspace({
      ...words,
      spec: {
        policies: {
          default_decision: 'allow',
          rules: [
            {...rule, id: 'asks', decision: 'approval_required', when: {tool: asks}},
            {...rule, id: 'denies', decision: 'deny', when: {tool: denies}},
          ],
        },
      },
    });
    const host = await workspace.start({handlers, warmSandboxes: false});
    const session = opened(await host.openSession({by: 'shop'}));
    started = {host, session, exec: createExec(host, {session})};
  });
  afterAll(async () => await workspace?.remove());
  const found = (): HandlersWorkspace => {
    if (!started) throw new Error('the host has not started');
    return started;
  };
  return {
    get host() {
      return found().host;
    },
    get session() {
      return found().session;
    },
    get exec() {
      return found().exec;
    },
  };
}
