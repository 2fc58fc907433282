// Where authority comes from: workspace.yaml, the lane, the stored task and the manifest; never from the caller.
import type {Scope, WorkspaceSpec} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {createStage, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';
import {passThroughContents} from '../../../support/pass-through-state.ts';

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test('self-granted-scopes: scopes, lane and pack that a caller claims are ignored', async () => {
    const runtime = await stage.open({
      workspace: {
        lanes: [
          {id: 'core', allowed_scopes: [{type: 'path', pattern: 'src/**', access: 'write'}]},
          {id: 'wide', allowed_scopes: [{type: 'path', pattern: '**', access: 'write'}]},
        ],
      },
    });
    const claims = {
      lane_id: 'wide',
      pack_id: 'root',
      permission: 'admin',
      allowed_scopes: [{type: 'path', pattern: '**', access: 'write'}],
      scope_enforced: {read: ['**'], write: ['**'], network: {posture: 'full', allowlist_entries: []}},
    };
    const context = {...(await runtime.startTask()), ...claims, execution_metadata: claims};
    const output = await runtime.executeTool('files:write', {path: 'src/a', ...claims}, context);
    expect(output.success).toBe(true);
    const [request] = runtime.dispatcher.requests;
    expect(request?.lane_id).toBe('core');
    expect(request?.scope_enforced).toMatchObject({write: ['src/**'], network: {posture: 'off'}});
    expect(request?.grant.allows('src/a', 'write')).toBe(true);
    expect(request?.grant.allows('docs/a', 'write')).toBe(false);
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.started).toMatchObject({
      lane_id: 'core',
      pack_id: 'files',
      scope_enforced: {write: ['src/**']},
      execution_metadata: claims,
    });
  });

  test('a task narrows its lane, and its holes cannot be talked away', async () => {
    const runtime = await stage.open({
      workspace: {
        security: {
          allowed_scopes: [{type: 'path', pattern: '**', access: 'write'}],
          deny_overlays: ['secrets/**'],
        },
      },
    });
    const context = await runtime.startTask('task-1', {
      declared_scopes: [{type: 'path', pattern: '**/*.md', access: 'write'}],
    });
    await runtime.executeTool('files:write', {}, context);
    const grant = runtime.dispatcher.requests[0]?.grant;
    const paths = ['a.md', 'x/.y/b.md', 'a.ts', 'secrets/c.md', '.lumenflow/d.md', '.env'];
    expect(paths.filter((path) => grant?.allows(path, 'write'))).toEqual(['a.md', 'x/.y/b.md']);
    expect(grant?.allows('secrets/c.md', 'read')).toBe(false);
  });

  test('a task grants further scopes to single tools, within its lane', async () => {
    const write = (pattern: string) => ({type: 'path', pattern, access: 'write'}) as const;
    const required_scopes = [write('**')];
    const pack = examplePack({
      id: 'p',
      tools: ['p:usual', 'p:single'].map((name) => ({name, permission: 'write' as const, required_scopes})),
    });
    const runtime = await stage.open({
      packs: [pack],
      workspace: {security: {allowed_scopes: [write('{src,docs}/**')]}},
    });
    const context = await runtime.startTask('task-1', {
      declared_scopes: [write('docs/**')],
      tool_scopes: {'p:single': [write('src/**'), write('other/**')]},
    });
    for (const name of ['p:usual', 'p:single']) await runtime.executeTool(name, {}, context);
    const paths = ['docs/a', 'src/a', 'other/a'];
    const granted = runtime.dispatcher.requests.map(({grant}) => paths.filter((path) => grant.allows(path, 'write')));
    expect(granted).toEqual([['docs/a'], ['docs/a', 'src/a']]);
    const wrong = {id: 'task-2', lane_id: 'core', declared_scopes: [], tool_scopes: {'p:single': [write('../x')]}};
    expect(await runtime.createTask(wrong)).toMatchObject({
      error: {code: 'INVALID_INPUT', message: expect.stringContaining('/tool_scopes/p:single/0')},
    });
  });

  test('a caller that changes its input while the call is under way changes nothing', async () => {
    const pack = examplePack({
      id: 'p',
      tools: [{name: 'p:tool', input_schema: {type: 'object', properties: {path: {type: 'string'}}}}],
      rules: [
        {
          id: 'no-secrets',
          trigger: 'on_tool_request',
          decision: 'deny',
          when: {arguments: {'/path': {glob: 'secrets/*'}}},
        },
      ],
    });
    const input = {path: 'docs/a'};
    const runtime = await stage.open({
      packs: [pack],
      contents: (log) =>
        passThroughContents(log, {
          async put(text) {
            const blob = await log.put(text);
            input.path = 'secrets/a';
            return blob;
          },
        }),
    });
    const context = await runtime.startTask();
    expect((await runtime.executeTool('p:tool', input, context)).data).toEqual({path: 'docs/a'});
    expect((await runtime.executeTool('p:tool', input, context)).error?.code).toBe('POLICY_DENIED');

    let reads = 0;
    const shifty = {
      get path() {
        reads += 1;
        return reads === 1 ? 'docs/a' : 'secrets/a';
      },
    };
    expect((await runtime.executeTool('p:tool', shifty, context)).data).toEqual({path: 'docs/a'});
  });

  test.each([
    ['a bigint', {size: 1n}],
    ['a cycle', cycle],
    ['undefined', {model: undefined}],
    ['a list', ['admin']],
    ['a text', 'admin'],
    ['null', null],
  ])('metadata of %s is refused, and the refusal is recorded without it', async (_, metadata) => {
    const runtime = await stage.open();
    const context = await runtime.startTask();
    const execution_metadata = metadata as Record<string, unknown>;
    const output = await runtime.executeTool('files:read', {}, {...context, execution_metadata});
    expect(output.error).toMatchObject({code: 'INVALID_INPUT', message: expect.stringContaining('execution_metadata')});
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.started.execution_metadata).toBeUndefined();
    expect(receipt?.finished).toMatchObject({result: 'invalid', error_code: 'INVALID_INPUT'});
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('cross-pack-policy: a pack’s rules apply to its own tools, and to all calls in tasks of its own types', async () => {
    const strict = examplePack({
      id: 'strict',
      task_types: ['audit'],
      tools: [{name: 'strict:tool'}],
      rules: [{id: 'strict.deny', trigger: 'on_tool_request', decision: 'deny'}],
    });
    const free = examplePack({id: 'free', task_types: ['chore'], tools: [{name: 'free:tool'}]});
    const runtime = await stage.open({packs: [strict, free]});
    const plain = await runtime.startTask('plain');
    const chore = await runtime.startTask('chore', {type: 'chore'});
    const audit = await runtime.startTask('audit', {type: 'audit'});
    const call = async (name: string, context: typeof plain): Promise<string> =>
      (await runtime.executeTool(name, {}, context)).error?.code ?? 'ran';
    expect(await call('strict:tool', plain)).toBe('POLICY_DENIED');
    expect(await call('free:tool', plain)).toBe('ran');
    expect(await call('free:tool', chore)).toBe('ran');
    expect(await call('strict:tool', chore)).toBe('POLICY_DENIED');
    expect(await call('free:tool', audit)).toBe('POLICY_DENIED');
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
      'boom',
    ],
    ['answers something else', () => 'yes' as unknown as boolean, 'not a boolean'],
    ['is slow', () => false, 'more than 50'],
  ])('a when that %s denies, is recorded, and the next call is decided anew', async (title, when, reason) => {
    let odd = true;
    const pack = examplePack({
      id: 'p',
      tools: [{name: 'p:tool'}],
      rules: [
        {
          id: 'p.rule',
          trigger: 'on_tool_request',
          decision: 'allow',
          when() {
            if (!odd) return false;
            if (title === 'is slow') stage.clock.move(60);
            return when();
          },
        },
      ],
    });
    const runtime = await stage.open({packs: [pack]});
    const context = await runtime.startTask();
    const output = await runtime.executeTool('p:tool', {}, context);
    expect(output.error).toMatchObject({code: 'POLICY_DENIED', details: {rule_id: 'p.rule'}});
    expect(output.error?.message).toContain(reason);
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.started.policy_decisions.at(-1)).toMatchObject({
      decision: 'deny',
      rule_id: 'p.rule',
      layer: 'pack',
    });
    odd = false;
    expect((await runtime.executeTool('p:tool', {}, context)).success).toBe(true);
  });

  test('ignored-config: each layer’s rules count, and permission and metadata can be asked for', async () => {
    const runtime = await stage.open({
      workspace: {
        lanes: [
          {
            id: 'core',
            allowed_scopes: [{type: 'path', pattern: '**', access: 'write'}],
            policies: {
              rules: [
                {id: 'lane.no-write', trigger: 'on_tool_request', decision: 'deny', when: {permission: ['write']}},
                {
                  id: 'lane.no-x',
                  trigger: 'on_tool_request',
                  decision: 'deny',
                  when: {metadata: {'/model': {equals: 'x'}}},
                },
              ],
            },
          },
        ],
      },
    });
    const context = await runtime.startTask();
    const other = await runtime.startTask('task-2', {
      policies: {
        rules: [{id: 'task.no-read', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'files:read'}}],
      },
    });
    const ruleOf = async (name: string, of: typeof context): Promise<unknown> =>
      (await runtime.executeTool(name, {}, of)).error?.details?.['rule_id'];
    expect(await ruleOf('files:read', context)).toBeUndefined();
    expect(await ruleOf('files:write', context)).toBe('lane.no-write');
    expect(await ruleOf('files:read', {...context, execution_metadata: {model: 'x'}})).toBe('lane.no-x');
    expect(await ruleOf('files:read', other)).toBe('task.no-read');
  });

  test('ignored-config: network_default opens the network where no scope speaks of it', async () => {
    const pack = examplePack({
      id: 'p',
      tools: [
        {
          name: 'p:net',
          required_scopes: [{type: 'network', posture: 'allowlist', allowlist_entries: ['a.example:443']}],
        },
      ],
    });
    const allowed_scopes: Scope[] = [{type: 'path', pattern: '**', access: 'read'}];
    const security: WorkspaceSpec['security'] = {allowed_scopes, network_default: 'full'};
    const open = await stage.open({packs: [pack], workspace: {security}});
    const context = await open.startTask();
    expect((await open.executeTool('p:net', {}, context)).success).toBe(true);
    expect(open.dispatcher.requests[0]?.scope_enforced.network).toEqual({
      posture: 'allowlist',
      allowlist_entries: ['a.example:443'],
    });
    const closed = await stage.open({packs: [pack], workspace: {security: {...security, network_default: 'off'}}});
    expect((await closed.executeTool('p:net', {}, context)).error?.code).toBe('SCOPE_DENIED');
  });

  test('baseline-order: a lane’s allow does not lift what the workspace asks approval for', async () => {
    const lanes: WorkspaceSpec['lanes'] = [
      {
        id: 'core',
        allowed_scopes: [{type: 'path', pattern: '**', access: 'write'}],
        policies: {default_decision: 'allow'},
      },
    ];
    const policies = {default_decision: 'approval_required' as const};
    const runtime = await stage.open({workspace: {policies, lanes}});
    const context = await runtime.startTask();
    expect((await runtime.executeTool('files:read', {}, context)).error?.code).toBe('APPROVAL_REQUIRED');
    const loose = {...policies, allow_loosening: ['lane' as const]};
    const loosened = await stage.open({workspace: {policies: loose, lanes}});
    expect((await loosened.executeTool('files:read', {}, context)).success).toBe(true);
  });
});
