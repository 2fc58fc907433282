// From what bwrap says when it cannot set a sandbox up to what a person can do about it.
import type {SandboxProblem} from '../backends/sandbox-problem.ts';

interface Explanation extends SandboxProblem {
  readonly sign: RegExp;
}

const userNamespaceHelp =
  'allow them with `sysctl -w kernel.unprivileged_userns_clone=1` (Debian), `sysctl -w user.max_user_namespaces=15000`, ' +
  'or, on Ubuntu 24.04 and later, an AppArmor profile for bwrap that has `userns,`; in a container, run it with ' +
  '`--security-opt seccomp=unconfined` or give it user namespaces';

const explanations: readonly Explanation[] = [
  {
    sign: /source .*: No such file or directory|race condition/i,
    message: 'a mount is gone',
    help: 'call again',
    retryable: true,
  },
  {
    sign: /unknown option --(disable-userns|size|perms)/i,
    message: 'this bubblewrap is too old',
    help: 'install bubblewrap 0.8 or later',
  },
  {
    sign: /loopback|RTM_NEWADDR|RTM_NEWLINK/i,
    message: 'a network namespace was made, but its loopback cannot be set up',
    help: 'on Ubuntu 24.04 and later add an AppArmor profile for bwrap that has `userns,`, then run `apparmor_parser -r` on it',
  },
  {
    sign: /user namespace|new namespace|uid map|gid map|setgroups|max_user_namespaces/i,
    message: 'user namespaces are not available to this user',
    help: userNamespaceHelp,
  },
  {
    sign: /mount proc|\/proc/i,
    message: 'a /proc of its own cannot be mounted',
    help: 'in a container, run it with `--security-opt systempaths=unconfined`, or use another backend',
  },
  {
    sign: /seccomp/i,
    message: 'the kernel takes no system call filter',
    help: 'use a kernel with CONFIG_SECCOMP_FILTER',
  },
];

/** `output` is bwrap's stderr. */
export function explainFailure(output: string): SandboxProblem {
  const said = output.trim().split('\n')[0] ?? '';
  const known = explanations.find(({sign}) => sign.test(said));
  const quoted = said === '' ? '' : ` (\`${said}\`)`;
  return known === undefined
    ? {
        message: `bubblewrap could not set up the sandbox${quoted}`,
        help: 'run `lumenflow sandbox doctor` for what is missing',
      }
    : {
        message: `${known.message}${quoted}`,
        help: known.help,
        ...(known.retryable && {retryable: known.retryable}),
      };
}
