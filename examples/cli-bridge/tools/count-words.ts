import {cliTool} from '@lumenflow/pack-sdk/cli';

export const countWords = cliTool<{path: string}>({
  command: 'words',
  root: 'commands',
  args: ({path}) => ['--', path],
});
