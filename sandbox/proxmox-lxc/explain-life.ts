// Why a call got no container, for people. Nothing of the call has run.
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {LifeProblem} from './life-problem.ts';
import type {FailureKind} from './proxmox-failure.ts';

const helps: Readonly<Record<FailureKind, string>> = {
  locked: 'retry the call once the other task in Proxmox VE has ended',
  taken: 'set a range of free ids for the datacenter in Proxmox VE',
  absent: 'correct `template` or `node` in `security.sandbox.backends.proxmox-lxc`',
  denied: 'give the token the privileges that docs/proxmox.md lists',
  unreachable: 'start Proxmox VE, or correct `url` or `certificate` in `security.sandbox.backends.proxmox-lxc`',
  other: 'see the log of the task in Proxmox VE, and docs/proxmox.md',
};

export function explainLife({step, failure: {kind, message}}: LifeProblem): SandboxProblem {
  return {
    message: `a container of Proxmox VE could not be ${step} (\`${message}\`)`,
    help: helps[kind],
    ...((kind === 'locked' || step === 'reached') && {retryable: 'once' as const}),
  };
}
