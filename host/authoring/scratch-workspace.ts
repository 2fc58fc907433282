// The workspace.yaml of a workspace that pins a pack, and those that it needs, and allows everything, for tests and `pack dev`.
import type {LaneSpec, PackManifest, PackPin, Scope} from '@lumenflow/schemas';

export interface ScratchWorkspace {
  readonly pin: PackPin;
  readonly manifest: PackManifest;
  /** The pack's config, as the value of its `config_key`. */
  readonly config?: unknown;
  /** Changes to the lane `main`, which allows all paths and the whole network by default. */
  readonly lane?: Partial<LaneSpec>;
  readonly trust?: PackPin['trust'];
  /** Of other packs. */
  readonly pinsBeside?: readonly PackPin[];
}

const everything: readonly Scope[] = [
  {type: 'path', pattern: '**', access: 'write'},
  {type: 'network', posture: 'full'},
  // Servers that a test starts beside the pack; `full` excludes the host's own addresses.
  {type: 'network', posture: 'allowlist', allowlist_entries: ['127.0.0.0/8', '::1/128']},
];

/**
 * JSON is valid YAML, and one line for each root key gives messages a position. Throws TypeError for a config that the pack does
 * not accept.
 */
export function scratchWorkspaceText(scratch: ScratchWorkspace): string {
  const {pin, manifest, config, lane, trust = 'sandboxed', pinsBeside = []} = scratch;
  if (config !== undefined && manifest.config_key === undefined) {
    throw new TypeError(`the pack \`${manifest.id}\` accepts no config: its manifest has no config_key`);
  }
  const spec = {
    id: 'trial',
    packs: [{...pin, trust}, ...pinsBeside],
    lanes: [{id: 'main', allowed_scopes: everything, ...lane}],
    security: {allowed_scopes: everything},
    policies: {default_decision: 'allow'},
    ...(manifest.config_key !== undefined && config !== undefined && {[manifest.config_key]: config}),
  };
  return Object.entries(spec)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');
}
