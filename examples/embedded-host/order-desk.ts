// A program that embeds the kernel. Its own functions are tools next to those of a pack, its own clerk approves, and the process
// exits once it is closed. Run it in a folder with this workspace.yaml: node order-desk.js [folder]
import {createHostDispatcher, createHostPackSource, openSession} from '@lumenflow/host';
import {initializeKernelRuntime} from '@lumenflow/kernel/node';
import {openOrderBook} from './order-book.ts';
import {createOwnDispatcher} from './own-dispatcher.ts';

const workspaceRoot = process.argv[2] ?? process.cwd();
const runtime = await initializeKernelRuntime({
  workspaceRoot,
  packs: createHostPackSource({workspaceRoot}),
  dispatcher: createOwnDispatcher(createHostDispatcher({workspaceRoot}), openOrderBook({'A-1': 400})),
});
const agent = await openSession(runtime, {by: 'service-agent', lane: 'desk'});
if (!agent.success) throw new Error(agent.error.message);

const call = async (tool: string, input: unknown): Promise<string | undefined> => {
  const {success, data, error} = await agent.call(tool, input);
  console.log(
    `${tool} ${JSON.stringify(input)}\n  → ${success ? JSON.stringify(data) : `${error?.code}: ${error?.message}`}`,
  );
  return error?.details?.['request_id'] as string | undefined;
};

await call('orders:refund', {order: 'A-1', amount: 20});
const large = {order: 'A-1', amount: 250};
const request_id = await call('orders:refund', large);
if (request_id !== undefined) {
  await runtime.resolveApproval({request_id, approved: true, approved_by: 'clerk', reason: 'the parcel was lost'});
  console.log('  the clerk approves it');
}
await call('orders:refund', large);
await call('orders:refund', {order: 'A-1', amount: 99.5});
await call('orders:refund', {order: 'A-1', amount: 99.5});
await call('orders:write-letter', {order: 'A-1', text: 'Your money is on its way.'});
await call('orders:write-letter', {order: '../A-1', text: 'Outside?'});
await agent.complete();

const {receipts} = await runtime.evidence.readTraces({session_id: agent.session_id});
for (const {receipt_id, started, finished} of receipts.toReversed()) {
  console.log(`${receipt_id}  ${started.tool_name}  ${finished?.result}`);
}
await runtime.evidence.checkpoint();
const {status, records} = await runtime.evidence.verify();
console.log(`evidence: ${status}, ${records} records`);
await runtime.close();
