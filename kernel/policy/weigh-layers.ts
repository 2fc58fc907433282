// How the four layers come to one decision.
//
// allow < approval_required < deny. The layers decide in order: workspace, lane, pack, task. Until a layer has decided with
// authority, the answer is deny. Three kinds of layers have authority: the workspace, the layer that sets the baseline (the first one
// with a `default_decision`), and the layers that the workspace allows to loosen.
// - A layer makes one decision. With authority, it is the strictest of its matching rules, or its default if none matches. So its
//   rules adjust its own default. Without authority, it is the strictest of its default and its matching rules.
// - This joins the decision of the outer layers: the stricter one wins, equal ones count together, and a looser one is
//   rejected with a warning.
// - A layer that may loosen replaces the decision of the outer layers, even by a looser one. Only a rule's deny is final for
//   every layer.
import type {PolicyLayerName, PolicyOutcome} from '@lumenflow/schemas';
import type {LayerMatch} from './match-layers.ts';
import {compareStrictness, type LayerDecision} from './layer-decision.ts';

/** The decision so far, and the statements that support it. */
export interface Combined {
  readonly decision: PolicyOutcome;
  readonly by: readonly LayerDecision[];
}

export interface LayerStep {
  readonly layer: PolicyLayerName;
  readonly authority: boolean;
  /** The layer's default, then its matching rules. */
  readonly statements: readonly LayerDecision[];
  /** Those without effect, because they are looser than the decision so far. */
  readonly rejected: readonly LayerDecision[];
  /** After this layer; undefined until a layer has decided with authority. */
  readonly combined: Combined | undefined;
}

export function weighLayers(voices: readonly LayerMatch[]): readonly LayerStep[] {
  const baseline = voices.find((voice) => voice.default !== undefined);
  let said: Combined | undefined;
  let authorised = false;
  return voices.map((voice) => {
    const authority = voice.layer === 'workspace' || voice === baseline || voice.loosening;
    const statements = voice.default ? [voice.default, ...voice.matching] : voice.matching;
    const spoken = authority && voice.matching.length > 0 ? voice.matching : statements;
    const lifts = voice.loosening && !isDeniedByRule(said);
    const limits = [lifts ? undefined : said?.decision, authority ? undefined : voice.default?.said.decision];
    const rejected = spoken.filter((statement) => limits.some((limit) => isLooser(statement, limit)));
    said = join(said, strictest(spoken), lifts);
    authorised ||= authority && statements.length > 0;
    return {
      layer: voice.layer,
      authority,
      statements,
      rejected,
      combined: authorised || isDeniedByRule(said) ? said : undefined,
    };
  });
}

function join(outer: Combined | undefined, inner: Combined | undefined, lifts: boolean): Combined | undefined {
  if (outer === undefined || inner === undefined) return inner ?? outer;
  const stricter = compareStrictness(inner.decision, outer.decision);
  if (stricter === 0) return {decision: inner.decision, by: [...outer.by, ...inner.by]};
  return stricter > 0 || lifts ? inner : outer;
}

function strictest(statements: readonly LayerDecision[]): Combined | undefined {
  let combined: Combined | undefined;
  for (const statement of statements)
    combined = join(combined, {decision: statement.said.decision, by: [statement]}, false);
  return combined;
}

function isLooser(statement: LayerDecision, limit: PolicyOutcome | undefined): boolean {
  return limit !== undefined && compareStrictness(statement.said.decision, limit) < 0;
}

function isDeniedByRule(combined: Combined | undefined): boolean {
  return combined?.decision === 'deny' && combined.by.some(({kind}) => kind === 'rule');
}
