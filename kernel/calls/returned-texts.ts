// What calls of untrusted tools have returned in a session or a task, from the records: for rules that ask whether an input contains it.
import type {Kernel} from '../context/kernel.ts';
import type {Receipt} from '../ports.ts';
import type {ReturnedText} from '../policy/policy-request.ts';
import {textsIn} from '../policy/texts-in-value.ts';
import type {TaintOrigin} from '../taint/taint.ts';
import type {RecordedHistory} from './read-history.ts';

/** Undefined if there were more calls than are read. */
export async function returnedTexts(
  kernel: Kernel,
  {session, task}: RecordedHistory,
  origins: readonly TaintOrigin[],
): Promise<readonly ReturnedText[] | undefined> {
  if (!session.isWhole || !task.isWhole) return undefined;
  const sources = new Set(origins.map(({tool_name}) => tool_name));
  const all = new Map([...session.receipts, ...task.receipts].map((receipt) => [receipt.receipt_id, receipt]));
  const read = [...all.values()].filter(({started}) => sources.has(started.tool_name));
  return await Promise.all(
    read.map(async (receipt) => ({tool_name: receipt.started.tool_name, texts: await textsOf(kernel, receipt)})),
  );
}

/** Undefined unless the call succeeded: the details of an error are not recorded. */
async function textsOf({ports}: Kernel, {finished, progress}: Receipt): Promise<readonly string[] | undefined> {
  if (finished?.result !== 'success') return undefined;
  const {output_ref, log_ref} = finished;
  const kept = await Promise.all(
    [output_ref, log_ref].flatMap((ref) => (ref === undefined ? [] : [ports.contents.get(ref)])),
  );
  if (kept.includes(undefined)) return undefined;
  const [output, log] = output_ref === undefined ? [undefined, kept[0]] : kept;
  return [
    ...(output === undefined ? [] : textsIn(JSON.parse(output))),
    ...(log === undefined ? [] : [log]),
    ...progress.flatMap(({payload}) => textsIn(payload)),
  ];
}
