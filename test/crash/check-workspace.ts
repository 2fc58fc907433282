// Opens a workspace as the next process would. Compares its answers and files with the acknowledgements and the real effects: the
// invariants of every crash.
import type {KernelRuntime, VerifyReport} from '@lumenflow/kernel';
import {openFolderArchive, verifyEvidence} from '@lumenflow/kernel/node';
import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {checkCalls} from './check-calls.ts';
import {checkTasks} from './check-tasks.ts';
import {checkTiles} from './check-tiles.ts';
import {stateFolders} from './crash-workspace.ts';
import {openCrashRuntime} from './open-crash-runtime.ts';
import type {Expected, RecordedCalls} from './expected.ts';
import {readLog, type LogLine} from './read-log.ts';

export interface Checked {
  readonly problems: readonly string[];
  readonly calls: RecordedCalls;
  /** Contents that are reported as lost. Only a loss of power may do this, and only to unacknowledged contents. */
  readonly blobsLost: number;
}

/** Opens, checks, makes one more call, closes, verifies. */
export async function checkWorkspace(root: string, expected: Expected): Promise<Checked> {
  const {stateFolder, keyFolder, archiveFolder} = stateFolders(root);
  const problems: string[] = [];
  let calls: RecordedCalls = new Map();
  let blobsLost = 0;
  try {
    checkTiles(stateFolder, problems);
    const runtime = await openCrashRuntime({root});
    try {
      expectSound(await runtime.evidence.verify(), expected, problems);
      const records = readLog(join(stateFolder, 'evidence', 'traces'), problems, join(archiveFolder, 'traces'));
      const events = readLog(join(stateFolder, 'events'), problems, join(archiveFolder, 'events'));
      const expiredThrough = lastExpired(events);
      calls = await checkCalls(runtime, records, {...expected, expiredThrough}, problems);
      checkTasks(runtime, events, expected, problems);
      await checkUsable(runtime, problems);
    } finally {
      await runtime.close();
    }
    const report = await verifyEvidence(stateFolder, {keyFolder, archive: openFolderArchive(archiveFolder)});
    blobsLost = report.lost;
    expectSound(report, expected, problems);
    const unsigned = report.findings.filter((finding) => isUnsigned.test(finding));
    if (unsigned.length > 0) problems.push(`after it was closed: ${unsigned.join('; ')}`);
  } catch (error) {
    problems.push(`the workspace cannot be opened or read: ${String(error)}`);
  }
  return {problems, calls, blobsLost};
}

/** The last record whose contents a rule may have deleted; 0 if none. */
function lastExpired(events: readonly LogLine[]): number {
  const expired = events.filter(({type}) => type === 'evidence_expired');
  return Math.max(0, ...expired.map((event) => Number(event['through_seq'])));
}

const isUnsigned = /are behind the newest signed checkpoint$/u;
const isLost = /refers to `inputs\/.* which a loss of power destroyed/u;

function expectSound({status, findings}: VerifyReport, {powerLost = false}: Expected, problems: string[]): void {
  const others = findings.filter((finding) => !isUnsigned.test(finding) && !(powerLost && isLost.test(finding)));
  if (others.length > 0) problems.push(`verify says ${status}: ${others.slice(0, 3).join('; ')}`);
}

/** A newcomer can create and claim a task, and call. */
async function checkUsable(runtime: KernelRuntime, problems: string[]): Promise<void> {
  const task_id = `check-${randomUUID()}`;
  const session_id = 'check';
  await runtime.createTask({id: task_id, lane_id: 'core'});
  const claimed = await runtime.claimTask({task_id, by: 'check', session_id});
  if (!claimed.success) return void problems.push(`a task cannot be claimed afterwards: ${claimed.error.message}`);
  const context = {task_id, session_id, run_id: claimed.data.run_id};
  const {success, error} = await runtime.executeTool('effects:fail', {}, context);
  if (success || error?.code !== 'TOOL_EXECUTION_FAILED') {
    problems.push(`a call afterwards gives ${JSON.stringify(error)}`);
  }
}
