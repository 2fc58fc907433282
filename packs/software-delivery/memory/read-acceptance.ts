// A WU's acceptance criteria. If its spec cannot be read, the page reports that instead of showing nothing.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {readSoundSpec} from '../work-units/spec-files.ts';

export async function readAcceptance(
  context: Pick<ToolContext<PackConfig>, 'fs' | 'config'>,
  wuId: string,
): Promise<readonly string[]> {
  try {
    return (await readSoundSpec(context, wuId)).spec.acceptance;
  } catch (error) {
    if (isToolError(error)) return [error.message];
    throw error;
  }
}
