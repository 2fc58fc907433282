// The base environment of every sandbox: enough for programs to find each other, and nothing from the host.
import {dirname} from 'node:path';

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface BaseEnvInput {
  /** The Node that runs inside; its folder leads PATH when it is not in /usr. */
  readonly nodePath: string;
}

export function baseEnv({nodePath}: BaseEnvInput): Record<string, string> {
  const nodeFolder = dirname(nodePath);
  return {
    PATH: systemPath.split(':').includes(nodeFolder) ? systemPath : `${nodeFolder}:${systemPath}`,
    HOME: '/tmp/home',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    // The workspace may belong to another user than the one inside; git would refuse to work in it.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    GIT_TERMINAL_PROMPT: '0',
  };
}
