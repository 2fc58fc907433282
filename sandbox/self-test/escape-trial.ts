// A few escapes that a shell tries inside a sandbox: each one that succeeds prints a line. They do no harm, even if the host
// turns out to be reachable.
import {readlinkSync} from 'node:fs';
import type {SandboxProfile} from '@lumenflow/schemas';

const namespaces: readonly string[] = ['user', 'pid', 'ipc', 'uts', 'net', 'mnt'];

/** Arguments: the namespaces of the host, a file that was not granted, the filter's name; then `-r path` for each
 * place that is read-only, `-f path` for each hidden file and `-d path` for each hidden directory. */
export const escapeScript: string = `
# Some shells judge \`-w\` by the mode of a path, and ignore a read-only mount: what they claim is confirmed by an attempt.
writes() {
  [ -w "$1" ] || return 1
  trial=$1; [ -d "$1" ] && trial=$1/.lumenflow-trial
  denial=$( (LC_ALL=C; : >>"$trial") 2>&1) && [ -d "$1" ] && rm "$trial"
  case "$denial" in *'Read-only file system'*|*'Permission denied'*|*'Operation not permitted'*) return 1;; esac
}
for kind in ${namespaces.join(' ')}; do
  [ "$(readlink /proc/self/ns/$kind)" = "$1" ] && echo "it shares the $kind namespace of the host"
  shift
done
[ -n "$(cat "$1" 2>/dev/null)" ] && echo 'it read a file that was not granted'
(: >>"$1") 2>/dev/null && echo 'it opened a file for writing that was not granted'
filter=$2; shift 2
while read -r key value; do
  case "$key" in
    CapEff:|CapPrm:|CapBnd:|CapAmb:) case "$value" in *[!0]*) echo "it has capabilities ($key $value)";; esac;;
    NoNewPrivs:) [ "$value" = 1 ] || echo 'it can gain privileges by starting programs';;
    Seccomp:) [ "$filter" = none ] || [ "$value" = 2 ] || echo 'no system call filter applies to it';;
  esac
done </proc/self/status
unshare -Ur true 2>/dev/null && echo 'it created its own namespaces'
for path in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /usr /etc; do writes "$path" && echo "it can write to $path"; done
while [ $# -gt 0 ]; do
  case "$1" in
    -r) writes "$2" && echo "it can write to $2";;
    -f) [ -n "$(head -c 1 "$2" 2>/dev/null | od -An -tx1)" ] && echo "it read $2, which is hidden";;
    -d) writes "$2" && echo "it can write to $2, which is hidden";;
  esac
  shift 2
done
echo tried`;

export const trialEnd = 'tried';

/** `canaryPath`: of a file of the host, with content, that the profile does not grant. `sharesUsers`: see `Capabilities`. */
export function escapeTrial(
  profile: SandboxProfile,
  {canaryPath, sharesUsers}: {readonly canaryPath: string; readonly sharesUsers: boolean},
): readonly string[] {
  return [
    '/bin/sh',
    '-c',
    escapeScript,
    'sh',
    ...namespaces.map((kind) => (kind === 'user' && sharesUsers ? '-' : readlinkSync(`/proc/self/ns/${kind}`))),
    canaryPath,
    profile.syscalls,
    ...profile.readonly_bind_mounts.flatMap(({target}) => ['-r', target]),
    ...profile.deny_overlays.flatMap(({path, kind}) => [kind === 'file' ? '-f' : '-d', path]),
  ];
}
