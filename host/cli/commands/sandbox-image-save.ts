// `lumenflow sandbox image save FILE`: the runner image as an archive, for clusters. It needs neither an engine nor a workspace.
import {resolve} from 'node:path';
import {saveRunnerImage} from '@lumenflow/sandbox';
import type {Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';

export const sandboxImageSave: Command = async (context, [file = '']) => {
  const path = resolve(context.cwd, file);
  const saved = await context.spin('saving the image', async () => await saveRunnerImage(path));
  if (!saved.ok) {
    const {message, help} = saved.problem;
    throw new CliError('SANDBOX_UNAVAILABLE', message, {help});
  }
  return {data: {path, ...saved.value}, text: () => `${saved.value.name}\n${path}`};
};
