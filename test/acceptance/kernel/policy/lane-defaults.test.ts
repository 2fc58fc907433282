// What a lane's default and rules cannot do under those of the workspace is warned of at load.
import {compileWorkspace} from '@lumenflow/kernel/adapters';
import {compileRegex, createSchemaCompiler} from '@lumenflow/kernel/node';
import type {PolicyRule, WorkspaceSpec} from '@lumenflow/schemas';
import {describe, expect, test} from 'vitest';
import {filesPack} from '../../../support/stage.ts';

const ports = {compileRegex, monotonic: () => 0, compileSchema: createSchemaCompiler().compileLater};
const everything = [{type: 'path' as const, pattern: '**', access: 'write' as const}];

interface Written {
  readonly policies?: WorkspaceSpec['policies'];
  readonly lane?: WorkspaceSpec['lanes'][number]['policies'];
}

function sourceOf({policies, lane}: Written) {
  const spec: WorkspaceSpec = {
    id: 'ws',
    packs: [filesPack.pin],
    lanes: [
      {id: 'core', allowed_scopes: everything, ...(lane && {policies: lane})},
      {id: 'other', allowed_scopes: everything},
    ],
    security: {allowed_scopes: everything},
    policies: policies ?? {default_decision: 'allow', rules: []},
  };
  return {spec, packs: [filesPack], locate: (pointer: string) => `workspace.yaml#${pointer}`};
}

const call = (id: string, decision: PolicyRule['decision'], when?: PolicyRule['when']): PolicyRule => ({
  id,
  trigger: 'on_tool_request',
  decision,
  ...(when && {when}),
});

describe('a lane that means to loosen what the workspace decides is warned of at load', () => {
  const lane = {default_decision: 'allow' as const, rules: [call('reads', 'allow', {tool: 'files:read'})]};
  const warningsOf = (policies: WorkspaceSpec['policies'], of: Written['lane'] = lane) =>
    compileWorkspace(sourceOf({lane: of, ...(policies && {policies})}), ports).problems;

  test.each(['deny', 'approval_required'] as const)('under a default of %s', (default_decision) => {
    expect(warningsOf({default_decision})).toMatchObject([
      {
        code: 'POLICY_DEFAULT_WITHOUT_EFFECT',
        severity: 'warning',
        message: `\`default_decision: allow\` of lane \`core\` is rejected: the workspace says ${default_decision}, and a lane may only tighten`,
        where: 'workspace.yaml#/lanes/0/policies/default_decision',
        help: expect.stringContaining('allow_loosening'),
      },
      {code: 'POLICY_RULE_WITHOUT_EFFECT', where: 'workspace.yaml#/lanes/0/policies/rules/0'},
    ]);
  });

  test('and not where it loosens nothing, or may', () => {
    expect(warningsOf({default_decision: 'allow'})).toEqual([]);
    expect(warningsOf({default_decision: 'deny', allow_loosening: ['lane']})).toEqual([]);
    expect(warningsOf({})).toEqual([]);
    const claims = {...call('claims', 'allow'), trigger: 'on_claim' as const};
    const tightens = {rules: [call('asks', 'approval_required'), claims]};
    expect(warningsOf({default_decision: 'deny'}, tightens)).toEqual([]);
  });
});

describe('a lane whose own default overrides its rules is reported at load', () => {
  const warningOf = (lane: Written['lane'], policies?: WorkspaceSpec['policies']) =>
    compileWorkspace(sourceOf({lane, ...(policies && {policies})}), ports).problems.filter(
      ({code}) => code === 'POLICY_RULE_WITHOUT_EFFECT',
    );
  const reads = call('reads', 'allow', {tool: 'files:read'});

  test('with the rule to write instead', () => {
    expect(warningOf({default_decision: 'deny', rules: [reads]})).toMatchObject([
      {
        severity: 'warning',
        message:
          "rule `reads` never counts: the lane's own `default_decision: deny` is stricter, and a lane may only tighten",
        where: 'workspace.yaml#/lanes/0/policies/default_decision',
        help: expect.stringContaining(
          '`- {id: core-others, trigger: on_tool_request, decision: deny, when: {not: {tool: files:read}}}`',
        ),
      },
    ]);
    const asks = call('asks', 'approval_required', {tool: ['files:*', 'yes'], arguments: {'/a': {equals: 1}}});
    expect(warningOf({default_decision: 'deny', rules: [reads, asks]})[0]?.help).toContain(
      'when: {not: {any: [{tool: files:read}, {tool: ["files:*", "yes"], arguments: {"/a": {equals: 1}}}]}}}',
    );
    expect(warningOf({default_decision: 'deny', rules: [call('all', 'allow')]})[0]?.help).toContain('fits every call');
  });

  test('and not where its rules count', () => {
    const lane = {default_decision: 'deny' as const, rules: [reads]};
    expect(warningOf(lane, {default_decision: 'allow', allow_loosening: ['lane']})).toEqual([]);
    expect(warningOf(lane, {})).toEqual([]);
    expect(warningOf({default_decision: 'deny'})).toEqual([]);
    expect(warningOf({rules: [reads]})).toEqual([]);
    expect(warningOf({default_decision: 'allow', rules: [reads]})).toEqual([]);
  });
});
