import type {RegisteredTool} from '../packs/loaded-pack.ts';

/** Whether a tool has no files itself, and so no view: it runs code of its caller, or a program. */
export function onlyMakesCalls({runs_caller_code, program}: RegisteredTool): boolean {
  return runs_caller_code === true || program !== undefined;
}
