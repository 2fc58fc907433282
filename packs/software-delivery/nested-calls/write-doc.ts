// Writes a file under docs/ in a separate call, so that it is in the workspace before the caller records it.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {callOrThrow} from './call-or-throw.ts';

export interface DocWrite {
  readonly path: string;
  /** If omitted, the file is removed if it exists. */
  readonly content?: string;
  /** Fail if the file exists. */
  readonly create_only?: boolean;
}

/** Throws ToolErrors EXISTS and SCOPE_DENIED, and those of changes that are not applied. */
export async function writeDoc(context: Pick<ToolContext, 'callTool'>, write: DocWrite): Promise<void> {
  await callOrThrow(context, 'docs:write', write);
}
