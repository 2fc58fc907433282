import type {EvidencePage, KernelRuntime, Receipt} from '@lumenflow/kernel';
import type {CallResult, PolicyOutcome} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {countObserved} from './count-observed.ts';

function receipt(id: string, result: CallResult, would: PolicyOutcome, ...rules: [string, PolicyOutcome][]): Receipt {
  const said = rules.map(([rule_id, decision]) => ({rule_id, decision, layer: 'workspace' as const}));
  return {
    receipt_id: id,
    started: {...(said.length > 0 && {observed: {decision: would, rules: said}})},
    finished: {result},
  } as unknown as Receipt;
}

/** Newest first, in pages of two. */
function evidenceOf(receipts: readonly Receipt[]): Pick<KernelRuntime, 'evidence'> {
  const readTraces = ({before_seq = 0} = {}): Promise<EvidencePage> =>
    Promise.resolve({
      receipts: receipts.slice(before_seq, before_seq + 2),
      ...(before_seq + 2 < receipts.length && {next_before_seq: before_seq + 2}),
    });
  return {evidence: {readTraces}} as unknown as Pick<KernelRuntime, 'evidence'>;
}

test('counts matches, and the calls that ran although the rule would have stopped them, over all pages', async () => {
  const runtime = evidenceOf([
    receipt('r-5', 'success', 'deny', ['no-writes', 'deny']),
    receipt('r-4', 'success', 'allow'),
    receipt('r-3', 'denied', 'deny', ['no-writes', 'deny'], ['ask', 'approval_required']),
    receipt('r-2', 'failure', 'approval_required', ['ask', 'approval_required']),
    receipt('r-1', 'success', 'deny', ['no-writes', 'deny'], ['ask', 'approval_required']),
  ]);
  const layer = 'workspace';
  expect(await countObserved(runtime, {})).toEqual([
    {
      rule_id: 'no-writes',
      layer,
      decision: 'deny',
      matched: 3,
      would_have_denied: 2,
      would_have_asked: 0,
      receipt_id: 'r-5',
    },
    {
      rule_id: 'ask',
      layer,
      decision: 'approval_required',
      matched: 3,
      would_have_denied: 0,
      would_have_asked: 1,
      receipt_id: 'r-3',
    },
  ]);
});
