import type {SandboxBackendName, SandboxBackendOptions, SecurityTier} from '@lumenflow/schemas';

/** What workspace.yaml requires of the sandbox for a lane's calls. Without it, the host chooses. */
export interface SandboxChoice {
  /** The higher of the workspace's tier and the lane's. */
  readonly security_tier?: SecurityTier | undefined;
  /** The backend that runs calls, or several in order of preference. */
  readonly sandbox_backend?: SandboxBackendName | readonly SandboxBackendName[];
  readonly sandbox_backend_options?: SandboxBackendOptions;
}
