// Runs a call in a sandbox. Each step returns what the next one needs, or the problem that prevents the call.
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';
import {enforcementRecord} from './enforcement-record.ts';
import type {ExecutorContext} from './executor-context.ts';
import {refuseCall} from './refuse-call.ts';
import {restock} from './restock.ts';
import {serveCall} from './serve-call.ts';
import {startCold} from './start-cold.ts';
import {keyForCall, takeSpare} from './take-spare.ts';
import {testProfile} from './test-profile.ts';
import {unmetRequirement} from './unmet-requirement.ts';

export async function executeCall(request: SandboxRequest, context: ExecutorContext): Promise<SandboxResult> {
  const {backend} = context;
  const report = await backend.probe();
  const unmet = unmetRequirement(request, report, context);
  if (unmet !== undefined) return refuseCall(backend.name, request, unmet);

  const tested = await testProfile(request, context);
  if ('message' in tested) return refuseCall(backend.name, request, tested);

  const key = keyForCall(request, context);
  const serving = (await takeSpare(key, request, context)) ?? (await startCold(request, context));
  if ('message' in serving) return refuseCall(backend.name, request, serving);

  const {facts, network, setUpProblem} = await serveCall(request, {...serving, key}, context);
  restock(key, request, context);
  if (setUpProblem !== undefined) return {...facts, ...refuseCall(backend.name, request, setUpProblem)};

  return {...facts, enforcement: enforcementRecord({request, report, tested, serving, facts, network}, context)};
}
