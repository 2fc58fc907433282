// What the kernel passes on from workspace.yaml, as the sandbox takes it.
import type {SandboxChoice} from '@lumenflow/kernel';
import type {BackendChoice} from '@lumenflow/sandbox';

export function backendChoice({
  security_tier: securityTier,
  sandbox_backend: backend,
  sandbox_backend_options: backendOptions,
}: SandboxChoice): BackendChoice {
  return {
    ...(securityTier && {securityTier}),
    ...(backend && {backend}),
    backendOptions,
  };
}
