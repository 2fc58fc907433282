// Writes a file below docs/ by a call of its own, so that it is in the workspace when the caller goes on to record it.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {callOrThrow} from './call-or-throw.ts';

export interface DocWrite {
  readonly path: string;
  /** Without it the file is removed, if it is there. */
  readonly content?: string;
  /** Refuses when the file is there. */
  readonly create_only?: boolean;
}

/** Throws ToolErrors EXISTS and SCOPE_DENIED, and those of changes that are not applied. */
export async function writeDoc(context: Pick<ToolContext, 'callTool'>, write: DocWrite): Promise<void> {
  await callOrThrow(context, 'docs:write', write);
}
