// The part of a workspace that a problem is about, by its code.

export type CheckArea = 'workspace.yaml' | 'packs' | 'scopes' | 'rules' | 'environment' | 'sandbox';

/** The first match decides. */
const areas: readonly (readonly [RegExp, CheckArea])[] = [
  [/^(?:PACK|UPSTREAM|SERVICE)_/u, 'packs'],
  [/^(?:SCOPE|DENY_OVERLAY|OFFERS|DIRECT_WRITES)_/u, 'scopes'],
  [/^POLICY_/u, 'rules'],
  [/^(?:ENV_|EVIDENCE_KEY_|WITNESS_UNREACHABLE)/u, 'environment'],
  [/^SANDBOX_(?!OFF$)/u, 'sandbox'],
];

export function areaOf(code: string): CheckArea {
  return areas.find(([pattern]) => pattern.test(code))?.[1] ?? 'workspace.yaml';
}
