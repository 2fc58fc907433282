// The base environment of every sandbox: enough for programs to find each other, and nothing of the host except its time zone.
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
    ...timeZone(),
  };
}

/**
 * Inside, /etc/localtime is a regular file, so it does not name its zone. Without this variable, ICU compares it with hundreds of files
 * below /usr/share/zoneinfo.
 */
function timeZone(): {readonly TZ?: string} {
  const {timeZone: name} = new Intl.DateTimeFormat().resolvedOptions();
  // Node reports this name for a zone that it does not know.
  return name === undefined || name === 'Etc/Unknown' ? {} : {TZ: name};
}
