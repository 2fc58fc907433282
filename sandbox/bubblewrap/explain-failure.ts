// Turns an error message of bwrap into an explanation and a remedy.
import type {SandboxProblem} from '../sandbox-problem.ts';

interface Explanation extends SandboxProblem {
  readonly sign: RegExp;
}

const userNamespaceHelp =
  'run `sysctl -w kernel.unprivileged_userns_clone=1` (Debian) or `sysctl -w user.max_user_namespaces=15000`; ' +
  'on Ubuntu 24.04 and later, add an AppArmor profile for bwrap that contains `userns,`; in a container, use ' +
  '`--security-opt seccomp=unconfined` or enable user namespaces';

const explanations: readonly Explanation[] = [
  {
    sign: /source .*: No such file or directory|race condition/i,
    message: 'the source of a mount no longer exists',
    help: 'retry the call',
    retryable: true,
  },
  {
    sign: /unknown option --(disable-userns|size|perms)/i,
    message: 'this version of bubblewrap is too old',
    help: 'install bubblewrap 0.8 or later',
  },
  {
    sign: /loopback|RTM_NEWADDR|RTM_NEWLINK/i,
    message: 'the loopback interface of the network namespace cannot be set up',
    help: 'on Ubuntu 24.04 and later, add an AppArmor profile for bwrap that contains `userns,`, and load it with `apparmor_parser -r`',
  },
  {
    sign: /user namespace|new namespace|uid map|gid map|setgroups|max_user_namespaces/i,
    message: 'user namespaces are not available to this user',
    help: userNamespaceHelp,
  },
  {
    sign: /mount proc|\/proc/i,
    message: 'a private /proc cannot be mounted',
    help: 'in a container, use `--security-opt systempaths=unconfined`, or choose another backend',
  },
  {
    sign: /seccomp/i,
    message: 'the kernel does not support system call filters',
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
        help: 'run `lumenflow sandbox doctor` to see what is missing',
      }
    : {
        message: `${known.message}${quoted}`,
        help: known.help,
        retryable: known.retryable,
      };
}
