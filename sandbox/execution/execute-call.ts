// Runs a call in a sandbox. Each step returns what the next one needs, or the problem that prevents the call.
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';
import {ok} from '../outcome.ts';
import {enforcementRecord} from './enforcement-record.ts';
import type {ExecutorContext} from './executor-context.ts';
import {refuseCall} from './refuse-call.ts';
import {restock} from './restock.ts';
import {retriedOnce} from './retried-once.ts';
import type {LastingTurn} from '../lasting/create-lasting-runners.ts';
import {lastingKey} from '../lasting/lasting-key.ts';
import {serveCall} from './serve-call.ts';
import {startCold} from './start-cold.ts';
import {acquireSpare, currentUser, keptBy, keyForCall} from './acquire-spare.ts';
import {testProfile} from './test-profile.ts';
import {unmetRequirement} from './unmet-requirement.ts';

export async function executeCall(request: SandboxRequest, context: ExecutorContext): Promise<SandboxResult> {
  const {backend} = context;
  const report = await backend.probe();
  const unmet = unmetRequirement(request, report, context);
  if (unmet !== undefined) return refuseCall(backend.name, request, unmet);

  const tested = await testProfile(request, context);
  if (!tested.ok) return refuseCall(backend.name, request, tested.problem);

  const turn = beginTurn(request, context);
  const key = request.lasting ? undefined : keyForCall(request, context);
  const spare = turn ? keptBy(turn) : await acquireSpare(key, request, context);
  const started = spare === undefined ? await startCold(request, context) : ok(spare);
  if (!started.ok) {
    turn?.leave(undefined);
    return refuseCall(backend.name, request, started.problem);
  }
  const acquired = started.value;

  const {facts, network, setUpProblem} = await serveCall(request, {...acquired, key, turn}, context);
  turn?.leave(facts);
  restock(key, request, context);
  if (setUpProblem !== undefined) return {...facts, ...refuseCall(backend.name, request, retriedOnce(setUpProblem))};

  return {
    ...facts,
    enforcement: enforcementRecord({request, report, tested: tested.value, acquired, facts, network, turn}, context),
  };
}

/** Undefined for a call that was cancelled in the meantime: it must not end what others share with it. */
function beginTurn(request: SandboxRequest, {lasting: runners}: ExecutorContext): LastingTurn | undefined {
  const {lasting, profile, signal} = request;
  if (lasting === undefined || signal?.aborted === true) return undefined;
  return runners.begin(lastingKey(request, lasting, currentUser()), lasting, profile);
}
