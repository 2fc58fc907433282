// The backend that a run of tests uses in workspaces that name none. Only tests read these variables; `npm run backends -- --delivery`
// sets them.
import type {WorkspaceSpec} from '@lumenflow/schemas';

type SandboxChoice = NonNullable<WorkspaceSpec['security']['sandbox']>;

/** Undefined: workspaces stay as they are. */
export function chosenSandbox(): SandboxChoice | undefined {
  const {LUMENFLOW_TEST_BACKEND: backend, LUMENFLOW_TEST_SOCKET: socket} = process.env;
  if (backend === undefined) return undefined;
  // Modules of WebAssembly run beside any backend.
  return {backend: [backend, 'wasm'], ...(socket !== undefined && {backends: {[backend]: {socket}}})} as SandboxChoice;
}
