// What a WU asks for. Whoever takes over is to learn that its spec cannot be read, instead of nothing.
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
