// How a step of each kind runs.
import type {StepKind} from '../document/step-kind.ts';
import type {RunStep} from './interpreter.ts';
import {runIf, runSwitch} from './run-branches.ts';
import {runApproval, runCall} from './run-call.ts';
import {runForeach} from './run-foreach.ts';
import {runParallel} from './run-parallel.ts';
import {runRetry} from './run-retry.ts';
import {runTimeout} from './run-timeout.ts';
import {runTry} from './run-try.ts';
import {runLet, runReturn} from './run-values.ts';

export const stepTable: Readonly<Record<StepKind, RunStep>> = {
  let: runLet,
  call: runCall,
  if: runIf,
  switch: runSwitch,
  foreach: runForeach,
  parallel: runParallel,
  try: runTry,
  retry: runRetry,
  timeout: runTimeout,
  wait_for_approval: runApproval,
  return: runReturn,
};
