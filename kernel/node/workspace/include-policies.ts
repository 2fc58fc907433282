// Adds the sets and rules of included files to a workspace, and replaces the names of sets in its rules. What reads the workspace
// afterwards knows neither files nor sets.
import {resolveSets, type PolicySets} from '@lumenflow/kernel/adapters';
import type {Problem} from '@lumenflow/kernel';
import type {PolicyLayer, WorkspaceSpec} from '@lumenflow/schemas';
import type {YamlDocument} from '../yaml/parse-yaml-document.ts';
import type {ReadPolicyFile} from './read-policy-files.ts';

export interface IncludedPolicies {
  readonly spec: WorkspaceSpec;
  readonly problems: readonly Problem[];
  /** Also of positions in included files: their rules follow those of workspace.yaml. */
  readonly locate: YamlDocument['locate'];
}

export function includePolicies(
  spec: WorkspaceSpec,
  {locate}: Pick<YamlDocument, 'locate'>,
  files: readonly ReadPolicyFile[],
): IncludedPolicies {
  const {sets, found, problems} = gatherSets(spec, locate, files);
  const resolved = <Layer extends PolicyLayer>(layer: Layer): Layer =>
    layer.rules === undefined ? layer : {...layer, rules: layer.rules.map((rule) => resolveSets(rule, sets))};
  const {policies, lanes} = spec;
  const own = policies?.rules ?? [];
  const sources = files.flatMap(({content: {rules = []}, locate: locateIn}) =>
    rules.map((rule, index) => ({rule, locateIn, at: `/rules/${index}`})),
  );
  const whole = policies && {...policies, rules: [...own, ...sources.map(({rule}) => rule)]};
  return {
    problems: [
      ...problems,
      ...unusedSets(found, [policies, ...files.map(({content}) => content), ...lanes.map((lane) => lane.policies)]),
    ],
    spec: {
      ...spec,
      ...(whole && {policies: resolved(whole)}),
      lanes: lanes.map((lane) =>
        lane.policies ? {...lane, policies: resolved(lane.policies)} : lane,
      ) as WorkspaceSpec['lanes'],
    },
    locate(pointer, part) {
      const [, index, rest = ''] = /^\/policies\/rules\/(\d+)(\/.*)?$/u.exec(pointer) ?? [];
      const source = index === undefined ? undefined : sources[Number(index) - own.length];
      return source ? source.locateIn(`${source.at}${rest}`, part) : locate(pointer, part);
    },
  };
}

interface NamedSet {
  readonly name: string;
  readonly members: readonly string[];
  readonly where: string;
}

function unusedSets(
  sets: readonly NamedSet[],
  layers: readonly (Pick<PolicyLayer, 'rules'> | undefined)[],
): readonly Problem[] {
  const written = JSON.stringify(layers.flatMap((layer) => layer?.rules?.map(({when}) => when) ?? []));
  return sets
    .filter(({name}) => !written.includes(`"$${name}"`))
    .map(({name, where}) => ({
      code: 'POLICY_SET_UNUSED',
      severity: 'warning',
      message: `no rule uses the set \`${name}\``,
      where,
      help: `write \`$${name}\` in a rule, or remove the set`,
    }));
}

/** A name has one meaning in all files. */
function gatherSets(
  {policies}: WorkspaceSpec,
  locate: YamlDocument['locate'],
  files: readonly ReadPolicyFile[],
): {readonly sets: PolicySets; readonly found: readonly NamedSet[]; readonly problems: readonly Problem[]} {
  const found = [
    ...entriesOf(policies?.sets, (name) => locate(`/policies/sets/${name}`, 'key')),
    ...files.flatMap(({content, locate: locateIn}) =>
      entriesOf(content.sets, (name) => locateIn(`/sets/${name}`, 'key')),
    ),
  ];
  const first = new Map<string, string>();
  const problems = found.flatMap(({name, where}): readonly Problem[] => {
    const earlier = first.get(name);
    first.set(name, earlier ?? where);
    if (earlier === undefined) return [];
    const message = `the set \`${name}\` is already defined at ${earlier}`;
    return [{code: 'POLICY_SET_DUPLICATE', severity: 'error', message, where, help: 'give it another name'}];
  });
  return {sets: Object.fromEntries(found.map(({name, members}) => [name, members])), found, problems};
}

function entriesOf(sets: PolicySets | undefined, locateName: (name: string) => string): readonly NamedSet[] {
  return Object.entries(sets ?? {}).map(([name, members = []]) => ({name, members, where: locateName(name)}));
}
