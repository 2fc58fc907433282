// A call that writes directly is watched while it runs, and what it left is looked at before its result counts.
import {join} from 'node:path';
import type {DispatchOutcome, DispatchRequest} from '@lumenflow/kernel';
import {createHostFiles, lookAfterCall, watchSeals, type CompiledProfile, type ProfileInput} from '@lumenflow/sandbox';
import type {CallFiles} from './call-files.ts';
import {refusePlanted} from './refuse-planted.ts';
import {refuseReplaced} from './refuse-replaced.ts';

export interface DirectCallWatch {
  /** Aborts when the sandbox does not protect a file any more. */
  readonly broken: AbortSignal;
  /** After the call, whether anything protected it or not: what it comes to, unless its own output stands. */
  finish(isProtected: boolean): Promise<DispatchOutcome['output'] | undefined>;
}

interface DirectCall {
  readonly request: DispatchRequest;
  readonly files: CallFiles;
}

export function watchDirectCall(
  {request, files}: DirectCall,
  input: ProfileInput,
  before: CompiledProfile,
): DirectCallWatch {
  const {workspaceRoot} = input;
  const keptIn = `.lumenflow/quarantine/${request.receipt_id}`;
  const tool = request.tool.name;
  const seals = watchSeals(before);
  return {
    broken: seals.broken,
    async finish(isProtected) {
      const replaced = seals.finish(join(workspaceRoot, keptIn));
      if (!isProtected) return undefined;
      // A call that could write nothing has planted nothing.
      if (before.profile.writable_bind_mounts.length > 0) {
        const {guarded, watched} = before;
        const profile = {...input, files: createHostFiles()};
        const mayWrite = (path: string): boolean => files.mayWrite(path);
        const findings = await lookAfterCall({profile, guarded, watched, mayWrite, keptIn});
        const refused = refusePlanted(findings, tool, keptIn);
        if (refused !== undefined) return refused;
      }
      return refuseReplaced(replaced, tool, workspaceRoot);
    },
  };
}
