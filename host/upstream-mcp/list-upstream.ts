// Asks a server for its tools, prompts and resources, for `lumenflow pack install`. The server runs in the sandbox without write access, and
// without a network unless it is reached over HTTP.
import {createHostFiles, compileProfile, createSandbox, type Sandbox} from '@lumenflow/sandbox';
import {failed, type Outcome} from '@lumenflow/kernel';
import type {GrantedScopes, PackPin, ToolOutput} from '@lumenflow/schemas';
import {homedir} from 'node:os';
import {dirname} from 'node:path';
import {compilePattern} from '../compile-pattern.ts';
import {realFolder} from '../real-folder.ts';
import {userStateFolderOf} from '../user-state-folder.ts';
import {networkEntry} from './network-entry.ts';
import {pinnedGrants} from './pinned-grants.ts';
import {requiredEnv} from './required-env.ts';
import {recordableListing, type ListedUpstream} from './recordable-listing.ts';
import {writeListingModule} from './write-upstream-pack.ts';

export interface ListingRequest {
  readonly pin: PackPin;
  /** Absolute, symlinks resolved. */
  readonly workspaceRoot: string;
  /** Absolute: the server's program, if the pin names one. */
  readonly runtimePaths: readonly string[];
  /** Absolute: the cache folder for the server's files. */
  readonly folder: string;
  readonly denyOverlays: readonly string[];
  /** The host's environment: the server receives what its tools require. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Longer than a server takes to start on a slow machine. */
const wallMs = 60_000;

/** Fails with the reason why the server cannot be listed. */
export async function listUpstream(request: ListingRequest): Promise<Outcome<ListedUpstream, string>> {
  const sandbox = createSandbox({searchPath: request.env['PATH'] ?? ''});
  try {
    const output = await runListing(sandbox, request);
    if (output.success) return recordableListing(output.data);
    return failed(`${output.error?.code ?? ''}: ${output.error?.message ?? ''}`);
  } finally {
    await sandbox.close();
  }
}

async function runListing(sandbox: Sandbox, request: ListingRequest): Promise<ToolOutput> {
  const {pin, workspaceRoot, env, signal} = request;
  const module = await writeListingModule(request.folder, pin);
  const grant = readingGrant(pin);
  const home = realFolder(env['HOME'] ?? homedir());
  const compiled = await compileProfile({
    workspaceRoot,
    grant,
    denyOverlays: request.denyOverlays,
    hiddenFolders: [realFolder(userStateFolderOf(env, home))],
    home,
    runtimePaths: [...sandbox.runtimePaths, dirname(module), ...request.runtimePaths],
    limits: {},
    env: sandbox.baseEnv,
    compilePattern,
    files: createHostFiles(),
  });
  if (!compiled.ok) {
    return {success: false, error: {code: 'SANDBOX_UNAVAILABLE', message: compiled.problem}};
  }
  const nobody = 'pack-install';
  const given = Object.fromEntries(
    requiredEnv(pin).flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  const {output} = await sandbox.execute({
    profile: compiled.value,
    wallMs,
    signal,
    invocation: {
      protocol: 1,
      tool_name: `${pin.id}:list`,
      handler_entry: `${module}#list`,
      input: {},
      scope_enforced: grant,
      receipt_id: nobody,
      task_id: nobody,
      run_id: nobody,
      session_id: nobody,
      lane_id: nobody,
      workspace_root: workspaceRoot,
      config: null,
      env: given,
      deadline: Date.now() + wallMs,
    },
  });
  return output;
}

/** A server over HTTP is reached at its address. Some others read their folders at start, so such a server gets read access to the paths that its tools can touch. */
function readingGrant(pin: PackPin): GrantedScopes {
  const {url} = pin;
  const scopes = pinnedGrants(pin).flatMap(([, {required_scopes = []}]) => required_scopes);
  const read = scopes.flatMap((scope) => (scope.type === 'path' ? scope.pattern : []));
  const entries = url === undefined ? [] : [networkEntry(url)];
  const posture = url === undefined ? 'off' : 'allowlist';
  return {read: [...new Set(read)], write: [], network: {posture, allowlist_entries: entries}};
}
