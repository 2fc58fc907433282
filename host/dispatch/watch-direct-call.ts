// Watches a direct call while it runs, and checks the files that it left before its result is accepted.
import {join} from 'node:path';
import type {DispatchOutcome, DispatchRequest} from '@lumenflow/kernel';
import {quarantineOf, watchSeals, type CompiledProfile, type DirectLooks, type ProfileInput} from '@lumenflow/sandbox';
import type {CallFiles} from './call-files.ts';
import {refusePlanted} from './refuse-planted.ts';
import {refuseReplaced} from './refuse-replaced.ts';

export interface DirectCallWatch {
  /** Aborts when the sandbox no longer protects a file. */
  readonly broken: AbortSignal;
  /** Checks the files after every call, protected or not. Returns the outcome that replaces its output, if any. */
  finish(isProtected: boolean): Promise<DispatchOutcome['output'] | undefined>;
}

interface DirectCall {
  readonly request: DispatchRequest;
  readonly files: CallFiles;
  readonly looks: DirectLooks;
}

/** Call before the call starts. Rejects when the note for the check cannot be written. */
export async function watchDirectCall(
  {request, files, looks}: DirectCall,
  input: ProfileInput,
  before: CompiledProfile,
): Promise<DirectCallWatch> {
  const {workspaceRoot} = input;
  const tool = request.tool.name;
  const receiptId = request.receipt_id;
  const keptIn = quarantineOf(receiptId);
  // A call that cannot write cannot plant files.
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
