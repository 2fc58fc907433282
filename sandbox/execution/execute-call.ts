// Runs a call in a sandbox. Each step returns what the next one needs, or the problem that prevents the call.
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';
import {ok} from '../outcome.ts';
import {enforcementRecord} from './enforcement-record.ts';
import type {ExecutorContext} from './executor-context.ts';
import {refuseCall} from './refuse-call.ts';
import {restock} from './restock.ts';
import {retriedOnce} from './retried-once.ts';
import {serveCall} from './serve-call.ts';
import {startCold} from './start-cold.ts';
import {keyForCall, acquireSpare} from './acquire-spare.ts';
import {testProfile} from './test-profile.ts';
import {unmetRequirement} from './unmet-requirement.ts';

export async function executeCall(request: SandboxRequest, context: ExecutorContext): Promise<SandboxResult> {
  const {backend} = context;
  const report = await backend.probe();
  const unmet = unmetRequirement(request, report, context);
  if (unmet !== undefined) return refuseCall(backend.name, request, unmet);

  const tested = await testProfile(request, context);
  if (!tested.ok) return refuseCall(backend.name, request, tested.problem);

  const key = keyForCall(request, context);
  const spare = await acquireSpare(key, request, context);
  const started = spare === undefined ? await startCold(request, context) : ok(spare);
  if (!started.ok) return refuseCall(backend.name, request, started.problem);
  const acquired = started.value;

  const {facts, network, setUpProblem} = await serveCall(request, {...acquired, key}, context);
  restock(key, request, context);
  if (setUpProblem !== undefined) return {...facts, ...refuseCall(backend.name, request, retriedOnce(setUpProblem))};

  return {
    ...facts,
    enforcement: enforcementRecord({request, report, tested: tested.value, acquired, facts, network}, context),
  };
}
