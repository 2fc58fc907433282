// A call that writes directly is watched while it runs, and what it left is looked at before its result counts.
import {join} from 'node:path';
import type {DispatchOutcome, DispatchRequest} from '@lumenflow/kernel';
import {quarantineOf, watchSeals, type CompiledProfile, type DirectLooks, type ProfileInput} from '@lumenflow/sandbox';
import type {CallFiles} from './call-files.ts';
import {refusePlanted} from './refuse-planted.ts';
import {refuseReplaced} from './refuse-replaced.ts';

export interface DirectCallWatch {
  /** Aborts when the sandbox does not protect a file any more. */
  readonly broken: AbortSignal;
  /** After the call, whether anything protected it or not: what it comes to, unless its own output is kept. */
  finish(isProtected: boolean): Promise<DispatchOutcome['output'] | undefined>;
}

interface DirectCall {
  readonly request: DispatchRequest;
  readonly files: CallFiles;
  readonly looks: DirectLooks;
}

/** Before the call starts. Rejects when what it needs afterwards cannot be noted. */
export async function watchDirectCall(
  {request, files, looks}: DirectCall,
  input: ProfileInput,
  before: CompiledProfile,
): Promise<DirectCallWatch> {
  const {workspaceRoot} = input;
  const tool = request.tool.name;
  const receiptId = request.receipt_id;
  const keptIn = quarantineOf(receiptId);
  // A call that can write nothing plants nothing.
  const mayWrite = before.profile.writable_bind_mounts.length > 0;
  const look = mayWrite ? await looks.begin({receiptId, tool, input, before}) : undefined;
  const seals = watchSeals(before);
  return {
    broken: seals.broken,
    async finish(isProtected) {
      const replaced = seals.finish(join(workspaceRoot, keptIn));
      const findings = await look?.finish((path) => !isProtected || files.mayWrite(path));
      if (!isProtected) return undefined;
      const refused = findings && refusePlanted(findings, tool, keptIn);
      return refused ?? refuseReplaced(replaced, tool, workspaceRoot);
    },
  };
}
