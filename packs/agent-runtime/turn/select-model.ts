// Selects the model of a turn.
import {ToolError} from '@lumenflow/pack-sdk';
import type {ModelProfile, PackConfig} from '../pack-config.ts';

/** Throws ToolError MODEL_NOT_CONFIGURED. */
export function selectModel(config: PackConfig, asked: string | undefined): ModelProfile {
  const models = new Map(Object.entries(config?.models ?? {}));
  const profile = asked ?? config?.default_model;
  const model = profile === undefined ? undefined : models.get(profile);
  if (model !== undefined) return model;
  const wanted = profile === undefined ? 'no model is selected' : `the model \`${profile}\` is not configured`;
  throw new ToolError('MODEL_NOT_CONFIGURED', `${wanted}: see \`agent_runtime.models\` in workspace.yaml`, {
    configured: [...models.keys()],
  });
}
