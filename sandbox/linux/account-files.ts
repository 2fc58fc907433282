// The few lines of /etc in which programs look up users, without any name from the host.
export interface AccountFiles {
  readonly passwd: string;
  readonly group: string;
  readonly hosts: string;
  readonly resolvConf: string;
  readonly nsswitch: string;
}

export function accountFiles(uid: number, gid: number, nameserver: string = '127.0.0.1'): AccountFiles {
  const nobody = uid === 65534 ? '' : 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n';
  const nogroup = gid === 65534 ? '' : 'nogroup:x:65534:\n';
  return {
    passwd: `tool:x:${uid}:${gid}:tool:/tmp/home:/bin/sh\n${nobody}`,
    group: `tool:x:${gid}:\n${nogroup}`,
    hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
    resolvConf: `nameserver ${nameserver}\n`,
    nsswitch: 'passwd: files\ngroup: files\nhosts: files dns\n',
  };
}
