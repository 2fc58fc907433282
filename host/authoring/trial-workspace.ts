// The workspace.yaml of a workspace that pins one pack and allows everything: to test it, to try it.
import type {LaneSpec, PackManifest, PackPin, Scope} from '@lumenflow/schemas';

export interface TrialWorkspace {
  readonly pin: PackPin;
  readonly manifest: PackManifest;
  /** The pack's config, as it would stand under its `config_key`. */
  readonly config?: unknown;
  /** Changes to the lane `main`, which allows all paths and the whole network by default. */
  readonly lane?: Partial<LaneSpec>;
  readonly trust?: PackPin['trust'];
}

const everything: readonly Scope[] = [
  {type: 'path', pattern: '**', access: 'write'},
  {type: 'network', posture: 'full'},
  // Servers that a test starts beside the pack; `full` leaves the host's own addresses out.
  {type: 'network', posture: 'allowlist', allowlist_entries: ['127.0.0.0/8', '::1/128']},
];

/** JSON is YAML, and each root key on a line of its own gives messages a place. Throws TypeError for a config that the pack does not take. */
export function trialWorkspaceText({pin, manifest, config, lane, trust = 'sandboxed'}: TrialWorkspace): string {
  if (config !== undefined && manifest.config_key === undefined) {
    throw new TypeError(`the pack \`${manifest.id}\` accepts no config: its manifest has no config_key`);
  }
  const spec = {
    id: 'trial',
    packs: [{...pin, trust}],
    lanes: [{id: 'main', allowed_scopes: everything, ...lane}],
    security: {allowed_scopes: everything},
    policies: {default_decision: 'allow'},
    ...(manifest.config_key !== undefined && config !== undefined && {[manifest.config_key]: config}),
  };
  return Object.entries(spec)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');
}
