// What earlier calls were given, from the records: for rules that ask with what arguments a tool was called.
import type {Kernel} from '../context/kernel.ts';
import type {PastInputs, RecordedHistory} from './read-history.ts';

/** Of the tools that `asks` names. What was redacted is missing. */
export async function readPastInputs(
  {ports}: Pick<Kernel, 'ports'>,
  {session, task}: RecordedHistory,
  asks: ((tool: string) => boolean) | undefined,
): Promise<PastInputs> {
  const inputs = new Map<string, {readonly value: unknown}>();
  if (asks === undefined) return inputs;
  const receipts = new Map([...session.receipts, ...task.receipts].map((receipt) => [receipt.receipt_id, receipt]));
  const reading = [...receipts.values()].map(async ({receipt_id, started: {tool_name, input_ref}}) => {
    if (input_ref === undefined || !asks(tool_name)) return;
    const text = await ports.contents.get(input_ref);
    if (text !== undefined) inputs.set(receipt_id, {value: JSON.parse(text)});
  });
  await Promise.all(reading);
  return inputs;
}
