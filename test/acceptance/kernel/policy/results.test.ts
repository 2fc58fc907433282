// Rules of on_tool_result: what a call returns is withheld or redacted before anyone sees it, and before it is recorded.
import type {PolicyRule, ToolOutput} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {DispatchRequest} from '@lumenflow/kernel';
import {createStage, type Stage} from '../../../support/stage.ts';
import {passThroughContents, passThroughEvidence} from '../../../support/pass-through-state.ts';
import {stateKinds} from '../../../support/state-home.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage(stateKinds[0]!);
});
afterEach(() => stage.close());

const key = `AKIA${'A'.repeat(16)}`;
const redacts: PolicyRule = {
  id: 'no-keys',
  trigger: 'on_tool_result',
  decision: 'allow',
  redact: ['AKIA[0-9A-Z]{16}', 'hunter[0-9]'],
};
const withholds: PolicyRule = {
  id: 'no-private-keys',
  trigger: 'on_tool_result',
  decision: 'deny',
  reason: 'private keys stay here',
  when: {tool: 'files:read', output: {regex: 'BEGIN [A-Z ]*PRIVATE KEY'}},
};

async function call(rules: readonly PolicyRule[], handler: (request: DispatchRequest) => ToolOutput) {
  const recorded: string[] = [];
  const runtime = await stage.open({
    workspace: {policies: {default_decision: 'allow', rules: [...rules]}},
    scripts: {'files:read': async (request) => await Promise.resolve({output: handler(request)})},
    contents: (store) =>
      passThroughContents(store, {
        put: async (text) => {
          recorded.push(text);
          return await store.put(text);
        },
      }),
    evidence: (log) =>
      passThroughEvidence(log, {
        append: async (records, options) => {
          recorded.push(JSON.stringify(records));
          await log.append(records, options);
        },
      }),
  });
  const progress: unknown[] = [];
  const log: unknown[] = [];
  const context = {
    ...(await runtime.startTask()),
    onProgress: (payload: unknown) => void progress.push(payload),
    onLog: (entry: unknown) => void log.push(entry),
  };
  const output = await runtime.executeTool('files:read', {}, context);
  const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
  return {output, progress, log, receipt, recorded: recorded.join('\n')};
}

test('matches are replaced in results, progress and logs, and no record contains them', async () => {
  const {output, progress, log, receipt, recorded} = await call([redacts], (request) => {
    request.onProgress({line: `found ${key}`});
    request.onLog({level: 'info', message: `${key} and hunter2`, fields: {[key]: 1}});
    return {success: true, data: {texts: [`a ${key} b`, 'plain'], deep: {hunter2: key}, count: 1}};
  });
  const mark = '[redacted: no-keys]';
  expect(output).toMatchObject({
    success: true,
    data: {texts: [`a ${mark} b`, 'plain'], deep: {[mark]: mark}, count: 1},
  });
  expect(progress).toEqual([{line: `found ${mark}`}]);
  expect(log).toEqual([{level: 'info', message: `${mark} and ${mark}`, fields: {[mark]: 1}}]);
  expect(receipt?.finished?.policy_decisions).toContainEqual(
    expect.objectContaining({rule_id: 'no-keys', decision: 'allow', redacted: 3}),
  );
  expect(recorded).not.toContain(key);
});

test('numbers are redacted as they are written', async () => {
  const rule: PolicyRule = {id: 'no-cards', trigger: 'on_tool_result', decision: 'allow', redact: '4111[0-9]{12}'};
  const data = {card: 4_111_111_111_111_111, deep: [4_111_111_111_111_111, 41], ok: true};
  const {output, recorded} = await call([rule], () => ({success: true, data}));
  expect(output.data).toEqual({card: '[redacted: no-cards]', deep: ['[redacted: no-cards]', 41], ok: true});
  expect(recorded).not.toContain('4111');
});

test('errors are redacted too', async () => {
  const {output, recorded} = await call([redacts], () => ({
    success: false,
    error: {code: 'TOOL_EXECUTION_FAILED', message: `no access with ${key}`, details: {tried: key}},
  }));
  expect(output.error).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: 'no access with [redacted: no-keys]',
    details: {tried: '[redacted: no-keys]'},
  });
  expect(recorded).not.toContain(key);
});

test('a withheld result is an error that names the rule, and its progress is withheld alike', async () => {
  const secret = '-----BEGIN RSA PRIVATE KEY----- x';
  const {output, progress, receipt, recorded} = await call([redacts, withholds], (request) => {
    request.onProgress(secret);
    return {success: true, data: {secret}};
  });
  expect(output).toMatchObject({
    success: false,
    error: {
      code: 'POLICY_DENIED',
      message: '`files:read` ran, but policy withholds its result: private keys stay here',
      details: {rule_id: 'no-private-keys', ran: true},
    },
  });
  expect(output.data).toBeUndefined();
  expect(progress).toEqual(['withheld by rule `no-private-keys`']);
  expect(receipt?.finished).toMatchObject({result: 'denied', error_code: 'POLICY_DENIED'});
  expect(recorded).not.toContain('PRIVATE KEY-----');
});

test('what no rule matches is returned as it is, and an observing rule only records', async () => {
  const {output, receipt} = await call([{...withholds, mode: 'observe'}], () => ({
    success: true,
    data: {text: 'BEGIN PRIVATE KEY'},
  }));
  expect(output).toMatchObject({success: true, data: {text: 'BEGIN PRIVATE KEY'}});
  expect(receipt?.finished?.observed).toMatchObject({decision: 'deny', rules: [{rule_id: 'no-private-keys'}]});
});

test('a value that is not JSON is left out, because it could not be judged', async () => {
  const cycle: Record<string, unknown> = {key};
  cycle['self'] = cycle;
  const {progress} = await call([redacts], (request) => {
    request.onProgress(cycle);
    return {success: true};
  });
  expect(progress).toEqual(['not JSON: left out']);
});

test('an explanation names the rules that may judge the result, and those alone', async () => {
  const unless: PolicyRule = {...withholds, id: 'only-plain', when: {not: {output: {regex: '^plain$'}}}};
  const elsewhere: PolicyRule = {...withholds, id: 'elsewhere', when: {tool: 'other:*', output: {regex: 'x'}}};
  const silent: PolicyRule = {...withholds, id: 'silent', mode: 'observe'};
  const other: PolicyRule = {...withholds, id: 'other-path', when: {arguments: {'/path': {equals: 'b'}}}};
  const rules = [redacts, withholds, unless, elsewhere, silent, other];
  const runtime = await stage.open({workspace: {policies: {default_decision: 'allow', rules}}});
  const explained = await runtime.explainTool('files:read', {path: 'a'}, await runtime.startTask());
  expect(explained.on_result).toMatchObject([
    {rule_id: 'no-keys', decision: 'allow', reason: 'redacts what its patterns match'},
    {rule_id: 'no-private-keys', decision: 'deny', reason: 'private keys stay here'},
    {rule_id: 'only-plain', decision: 'deny'},
  ]);
});
