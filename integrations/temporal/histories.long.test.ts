// The workflow replays the histories of `histories/`, which earlier versions recorded. A changed workflow does not: each mutation here is a
// change that would strand runs which are under way.
import {bundleWorkflowCode, DefaultLogger, Runtime, Worker} from '@temporalio/worker';
import {fileURLToPath} from 'node:url';
import {beforeAll, expect, test} from 'vitest';
import {readHistories, recordHistories, type RecordedHistory} from './histories/record-histories.fixture.ts';

let recorded: readonly RecordedHistory[];
let code: string;

beforeAll(async () => {
  if (process.env['LUMENFLOW_RECORD_HISTORIES'] !== undefined) await recordHistories();
  else Runtime.install({logger: new DefaultLogger('ERROR'), telemetryOptions: {logging: {filter: 'OFF'}}});
  recorded = readHistories();
  const workflowsPath = fileURLToPath(new URL('./run-workflow.ts', import.meta.url));
  ({code} = await bundleWorkflowCode({workflowsPath, logger: new DefaultLogger('ERROR')}));
});

/** The histories that do not replay. */
async function strandedBy(changed: string): Promise<readonly string[]> {
  const stranded: string[] = [];
  const options = {workflowBundle: {code: changed}};
  for await (const {workflowId, error} of Worker.runReplayHistories(options, recorded))
    if (error !== undefined) stranded.push(workflowId);
  return stranded.toSorted();
}

test('the workflow replays every recorded history', async () => {
  expect(recorded.length).toBeGreaterThanOrEqual(9);
  expect(await strandedBy(code)).toEqual([]);
});

const all = [
  'answered-twice',
  'cancelled-while-waiting',
  'continued',
  'ended',
  'failed-twice-then-ended',
  'parked',
  'prevented-then-answered',
  'refused',
  'waiting',
];
const waited = ['answered-twice', 'cancelled-while-waiting', 'prevented-then-answered', 'waiting'];

test.each<[string, RegExp, string, readonly string[]]>([
  ['another command before the attempts', /const progress = await/u, 'remember({wait: null});\n$&', all],
  ['another name of the activity', /const \{ advance \} =/u, 'const {advanceRun: advance} =', all],
  ['a wait that the memo does not show', /remember\(\{\s*wait: \{/u, 'void ({wait: {', waited],
  ['a wait without a limit', /, lookMs\)/u, ')', waited],
])('%s would strand runs', async (_, found, instead, stranded) => {
  const changed = code.replace(found, instead);
  expect(changed).not.toBe(code);
  expect(await strandedBy(changed)).toEqual(stranded);
});
