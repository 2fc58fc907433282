// A workspace with functions as tools, for tests of programs.
import type {Host, LocalHandlers} from '@lumenflow/host';
import {resumeProgram, runProgram, type ProgramRun, type ProgramRunOptions} from '@lumenflow/host/exec';
import {beforeEach} from 'vitest';
import type {HostWorkspaceWords} from '../../support/host-workspace.ts';
import {handlersWorkspace} from './handlers-workspace.fixture.ts';

export interface ProgramWorkspace {
  readonly host: Host;
  readonly handlers: LocalHandlers;
  /** The calls that were made. */
  readonly made: string[];
  /** Items whose reading fails. */
  readonly failing: Set<string>;
  /** The steps as YAML, indented by two; started by `shop`. Rejects if the program is not started. */
  run(steps: string, inputs?: Record<string, unknown>, options?: ProgramRunOptions): Promise<ProgramRun>;
  /** Ann approves what the run waits for. */
  approve(run: ProgramRun): Promise<void>;
  resumed(run: ProgramRun): Promise<ProgramRun>;
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

  const workspace = handlersWorkspace({...words, handlers, asks: 'item:publish', denies: 'item:purge'});
  beforeEach(() => {
    made.length = 0;
    failing.clear();
  });

  const by = 'shop';
  return {
    get host() {
      return workspace.host;
    },
    handlers,
    made,
    failing,
    async run(steps, inputs = {}, options) {
      const declared = Object.keys(inputs).map((name) => `  ${name}: {}`);
      const text = ['name: test', ...(declared.length > 0 ? ['inputs:', ...declared] : []), 'steps:', steps].join('\n');
      return started(await runProgram(workspace.host, {program: {file: 'test.yaml', text}, inputs, by}, options));
    },
    async approve({approvals = []}) {
      for (const request_id of approvals) {
        const answered = await workspace.host.runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});
        if (!answered.success) throw new Error(answered.error.message);
      }
    },
    resumed: async ({run_id}) => started(await resumeProgram(workspace.host, {run_id, by})),
  };
}

function started(run: Awaited<ReturnType<typeof runProgram>>): ProgramRun {
  if (!run.ok) throw new Error(JSON.stringify(run.problem));
  return run.value;
}
