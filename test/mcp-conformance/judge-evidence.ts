// Whether the calls of the suite went the one way that there is for calls: each was decided and has an outcome.
import type {Host} from '@lumenflow/host';

export interface EvidenceJudgement {
  readonly calls: number;
  readonly problems: readonly string[];
}

export async function judgeEvidence({runtime}: Host): Promise<EvidenceJudgement> {
  const problems: string[] = [];
  let calls = 0;
  const called = new Set<string>();
  for (let before_seq: number | undefined; ;) {
    const page = await runtime.evidence.readTraces({limit: 100, ...(before_seq !== undefined && {before_seq})});
    for (const {receipt_id, started, finished} of page.receipts) {
      calls += 1;
      called.add(started.tool_name);
      if (!finished) problems.push(`${receipt_id} of ${started.tool_name} has no outcome`);
    }
    before_seq = page.next_before_seq;
    if (before_seq === undefined) break;
  }
  // Of the others the suite looks at a schema, or knows nothing.
  const missing = [...runtime.workspace.tools.keys()].filter((name) => name.startsWith('test:') && !called.has(name));
  if (missing.length > 0) problems.push(`never called: ${missing.join(', ')}`);
  await runtime.evidence.checkpoint();
  const {status} = await runtime.evidence.verify();
  if (status !== 'verified') problems.push(`the evidence does not verify: ${status}`);
  return {calls, problems};
}
