// With --json every command prints one document of a stable shape.
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {assertBuilt, makeFolder, runCommandForJson, runForJson} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const cwd = folder.path;
const text: unknown = expect.any(String);
const count: unknown = expect.any(Number);
const hash: unknown = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

beforeAll(assertBuilt);
afterAll(() => folder.remove());

const receipt: unknown = expect.objectContaining({
  receipt_id: text,
  started: expect.any(Object),
  progress: [],
  finished: expect.any(Object),
});
const documents: readonly (readonly [command: string, document: Readonly<Record<string, unknown>>])[] = [
  [
    'init --id demo',
    {
      workspace: text,
      id: 'demo',
      files: ['workspace.yaml'],
      packs: expect.arrayContaining([
        {id: 'software-delivery', version: text, integrity: hash, source: 'npm', package: text, trust: 'in_process'},
      ]),
    },
  ],
  [
    'check --no-machine',
    {
      workspace: text,
      areas: ['workspace.yaml', 'packs', 'scopes', 'rules', 'sandbox'].map((area) => ({
        area,
        detail: text,
        errors: 0,
        warnings: 0,
        ...(area === 'sandbox' && {is_skipped: true}),
      })),
      problems: [],
    },
  ],
  [
    'tools list',
    {
      tools: expect.arrayContaining([
        {
          name: 'file:read',
          permission: 'read',
          decision: 'allow',
          offered: true,
          description: text,
          pack: 'software-delivery',
        },
      ]),
    },
  ],
  [
    'search read a file --limit 1',
    {
      tools: [{id: 'file:read', summary: text, namespace: 'file', permission: 'read', policy: 'allowed'}],
    },
  ],
  [
    'tools show file:list',
    {tool: expect.objectContaining({name: 'file:list', where: text, pack: {id: text, version: text, integrity: hash}})},
  ],
  [
    'tools call file:list',
    {
      tool: 'file:list',
      task_id: text,
      receipt_id: text,
      data: expect.objectContaining({path: '.'}),
      metadata: expect.any(Object),
    },
  ],
  ['task create one', {task: {task_id: 'one', lane_id: 'main', spec_hash: text, state: 'ready', created_at: text}}],
  ['task list', {tasks: [expect.objectContaining({task_id: 'one', state: 'ready'})]}],
  [
    'task show one',
    {
      task: expect.objectContaining({spec: {id: 'one', lane_id: 'main'}}),
      events: [expect.objectContaining({type: 'task_created'})],
      receipts: [],
    },
  ],
  ['task claim one --as ann', {run: {run_id: text, session_id: 'cli-ann', by: 'ann', claimed_at: text}}],
  ['task release one', {task: expect.objectContaining({state: 'ready'})}],
  ['approvals list', {approvals: []}],
  ['agent list', {sessions: []}],
  // The file was read, and the sessions were.
  ['evidence list', {receipts: [receipt, receipt]}],
  [
    'evidence verify',
    {
      report: {
        status: 'verified',
        records: 4,
        blobs: count,
        root: text,
        signed_records: 4,
        signed_approvals: 0,
        verifier_key: text,
        signers: [{verifier_key: text, checkpoints: count, records: 4}],
        redacted: 0,
        lost: 0,
        expired: 0,
        witnesses: [],
        findings: [],
      },
    },
  ],
  [
    'policy explain file:write path=secrets/x content=y',
    {
      explanation: expect.objectContaining({
        tool_name: 'file:write',
        decision: 'allow',
        policy_decisions: expect.any(Array),
        input_issues: [],
        paths: [
          {
            pointer: '/path',
            path: 'secrets/x',
            access: 'none',
            refusal: expect.objectContaining({layer: 'workspace', where: text, help: text}),
          },
        ],
      }),
      scopes: [
        expect.objectContaining({layer: 'workspace'}),
        expect.objectContaining({layer: 'lane'}),
        expect.objectContaining({layer: 'tool'}),
      ],
      is_input_given: true,
    },
  ],
  [
    'pack list',
    {
      packs: expect.arrayContaining([
        {
          id: 'software-delivery',
          version: text,
          source: 'npm',
          trust: 'in_process',
          state: 'pinned',
          integrity: hash,
          folder: text,
          tools: count,
          unapproved: 0,
          signature: 'unsigned',
          trusted: false,
        },
      ]),
    },
  ],
  [
    'pack hash agent-runtime',
    {
      id: 'agent-runtime',
      version: text,
      integrity: hash,
      pinned: true,
      files: count,
      left_out: expect.any(Array),
      missing: [],
    },
  ],
  [
    'pack validate agent-runtime',
    {
      id: 'agent-runtime',
      version: text,
      integrity: hash,
      tools: expect.arrayContaining(['agent:execute-turn', 'agent-session:start']),
      problems: [],
    },
  ],
  ['token create bob --role operator', {name: 'bob', role: 'operator', token: expect.stringMatching(/^lf_/)}],
  ['token list', {tokens: [{name: 'bob', role: 'operator', created_at: text}]}],
  ['token revoke bob', {name: 'bob'}],
  ['sandbox doctor', {report: expect.objectContaining({platform: text, tier: 'standard', checks: expect.any(Array)})}],
];

const failures: readonly (readonly [command: string, code: number, document: Readonly<Record<string, unknown>>])[] = [
  [
    'tools show file:raed',
    1,
    {error: {code: 'TOOL_NOT_FOUND', message: text, details: {nearest: 'file:read', help: text}}},
  ],
  [
    'tools call file:raed',
    1,
    {
      error: {code: 'TOOL_NOT_FOUND', message: text, details: {nearest: 'file:read'}},
      tool: 'file:raed',
      task_id: text,
      receipt_id: text,
      next: ['lumenflow tools list'],
    },
  ],
  ['task show none', 1, {error: {code: 'TASK_NOT_FOUND', message: text, details: {task_id: 'none'}}}],
  ['task unblock one', 1, {error: {code: 'TASK_NOT_ACTIVE', message: text, details: {state: 'ready'}}}],
  ['task create one', 1, {error: {code: 'TASK_EXISTS', message: text, details: {task_id: 'one'}}}],
  ['task create two --lane man', 1, {error: {code: 'LANE_NOT_FOUND', message: text, details: {lanes: ['main']}}}],
  ['approvals withdraw apr-none', 1, {error: {code: 'APPROVAL_NOT_FOUND', message: text, details: {help: text}}}],
  ['approvals approve apr-none', 1, {error: {code: 'APPROVAL_NOT_FOUND', message: text, details: {help: text}}}],
  ['evidence show rcp-none', 1, {error: {code: 'RECEIPT_NOT_FOUND', message: text, details: {help: text}}}],
  ['evidence verify --folder none', 1, {error: {code: 'EVIDENCE_NOT_FOUND', message: text, details: {help: text}}}],
  ['token revoke none', 1, {error: {code: 'TOKEN_NOT_FOUND', message: text, details: {help: text}}}],
  ['init', 2, {error: {code: 'WORKSPACE_EXISTS', message: text, details: {help: text}}}],
  ['pack hash none', 2, {error: {code: 'PACK_NOT_FOUND', message: text, details: {help: text}}}],
  [
    'sandbox image list --backend kvm',
    2,
    {error: {code: 'INVALID_ARGUMENT', message: text, details: {help: 'use docker or podman'}}},
  ],
  ['task list --state lost', 2, {error: {code: 'INVALID_ARGUMENT', message: text, details: {help: text}}}],
];

describe('what succeeds', () => {
  it.each(documents)('%s', async (command, document) => {
    expect(await runForJson(command.split(' '), {cwd})).toEqual({code: 0, document: {ok: true, ...document}});
  });
});

describe('what fails', () => {
  it.each(failures)('%s', async (command, code, document) => {
    expect(await runCommandForJson(command.split(' '), {cwd})).toEqual({code, document: {ok: false, ...document}});
  });
});
