// A workspace with functions as tools, for tests of programs.
import type {Host, LocalHandlers} from '@lumenflow/host';
import {afterAll, beforeAll, beforeEach} from 'vitest';
import {makeHostWorkspace, type HostWorkspace, type HostWorkspaceWords} from '../../support/host-workspace.ts';

export interface ProgramWorkspace {
  readonly host: Host;
  /** The calls that were made. */
  readonly made: string[];
  /** Items whose reading fails. */
  readonly failing: Set<string>;
}

/** For the tests of one file. */
export function programWorkspace(words: Pick<HostWorkspaceWords, 'copied'> = {}): ProgramWorkspace {
  const made: string[] = [];
  const failing = new Set<string>();
  const handlers: LocalHandlers = {
    'list:find': {
      description: 'Finds the items of a list.',
      permission: 'read',
      input_schema: {
        type: 'object',
        properties: {count: {type: 'integer'}},
        required: ['count'],
        additionalProperties: false,
      },
      output_schema: {
        type: 'object',
        properties: {
          items: {
            type: 'array',
            items: {type: 'object', properties: {id: {type: 'string'}}, additionalProperties: false},
          },
        },
        required: ['items'],
        additionalProperties: false,
      },
      run: ({count}: {readonly count: number}) => ({
        items: Array.from({length: count}, (_, index) => ({id: `i${index}`})),
      }),
    },
    'item:read': {
      permission: 'read',
      run: ({id}: {readonly id: string}) => {
        made.push(`read ${id}`);
        if (failing.has(id)) throw new Error(`${id} is broken`);
        return {id, text: `text of ${id}`};
      },
    },
    'item:write': {
      input_schema: {
        type: 'object',
        properties: {id: {type: 'string'}, text: {type: 'string'}},
        required: ['id'],
        additionalProperties: false,
      },
      run: ({id}: {readonly id: string}) => {
        made.push(`write ${id}`);
        return {written: id};
      },
    },
    'item:publish': {
      run: ({id}: {readonly id: string}) => {
        made.push(`publish ${id}`);
        return {published: id};
      },
    },
    'item:purge': {run: () => null},
    'scope:show': {
      permission: 'read',
      required_scopes: [{type: 'path', pattern: '**', access: 'read'}],
      run: (_input, {granted_scopes: {read}}) => ({read}),
    },
    'slow:wait': {
      permission: 'read',
      run: async (_input, {signal}) =>
        await new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
    },
    'slow:write': {
      run: async (_input, {signal}) =>
        await new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
    },
  };

  let workspace: HostWorkspace | undefined;
  let host: Host | undefined;
  beforeAll(async () => {
    const rule = {trigger: 'on_tool_request', reason: 'as the test wants'} as const;
    workspace = makeHostWorkspace({
      ...words,
      spec: {
        policies: {
          default_decision: 'allow',
          rules: [
            {...rule, id: 'publishing', decision: 'approval_required', when: {tool: 'item:publish'}},
            {...rule, id: 'purging', decision: 'deny', when: {tool: 'item:purge'}},
          ],
        },
      },
    });
    host = await workspace.start({handlers, warmSandboxes: false});
  });
  afterAll(async () => await workspace?.remove());
  beforeEach(() => {
    made.length = 0;
    failing.clear();
  });

  return {
    get host() {
      if (!host) throw new Error('the host has not started');
      return host;
    },
    made,
    failing,
  };
}
