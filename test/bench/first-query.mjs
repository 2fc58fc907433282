// A process that opens a state, asks one question, and prints the time it took and its memory.
// Arguments: state folder, key folder, a receipt id or `read`.
import {createProcessRegistry, openFileState, openSigningKeys, openWorkspaceLog} from '@lumenflow/kernel/node';

const [, , stateFolder, keyFolder, question] = process.argv;
const started = performance.now();
const state = await openFileState({stateFolder, processes: createProcessRegistry()});
const signed = await openWorkspaceLog(state, {keys: await openSigningKeys({keyFolder})});
const opened = performance.now();
const answer =
  question === 'read'
    ? (await state.evidence.read({result: 'failure', task_id: 'task-3'})).receipts.length
    : (await state.evidence.receipt(question))?.receipt_id;
const answered = performance.now();
const rss_mib = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({answer, open_ms: opened - started, ms: answered - started, rss_mib}));
await signed.close();
await state.close();
