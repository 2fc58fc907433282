import {cliTool, requireOk} from '@lumenflow/pack-sdk/cli';

export const sortVersions = cliTool<{versions: string[]; range?: string}, {versions: string[]}>({
  command: 'semver',
  script: 'node_modules/semver/bin/semver.js',
  args: ({versions, range}) => [...(range === undefined ? [] : ['--range', range]), '--', ...versions],
  // Status 1 without a message means that no version is left.
  read: (result) => ({
    versions: (result.status === 1 && result.stderr === '' ? result : requireOk('semver', result)).stdout
      .split('\n')
      .filter(Boolean),
  }),
});
