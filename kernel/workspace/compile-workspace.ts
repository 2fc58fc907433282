// Checks a workspace together with its packs and compiles both: scopes, rules, tools. Collects all problems.
import type {PolicyLayer, RenamedTool, WorkspaceSpec} from '@lumenflow/schemas';
import {createBuiltinPack} from '../builtin-pack/create-builtin-pack.ts';
import type {LoadedPack, ValueValidator} from '../packs/loaded-pack.ts';
import {
  compilePolicyLayer,
  type CompiledLayer,
  type PolicyCompilerPorts,
  type PolicyLayerSource,
} from '../policy/index.ts';
import type {Problem} from '../problem.ts';
import {compileHoles, compileScopeLayer, unrestrictedLayer, type ScopeLayer} from '../scopes/index.ts';
import {approvalReceivers} from './approval-receivers.ts';
import type {CompiledLane, CompiledWorkspace} from './compiled-workspace.ts';
import {compileMarks, type Marks} from './compile-marks.ts';
import {describeTools} from './describe-tools.ts';
import {compileDirectWrites} from './direct-writes.ts';
import {compileLaneOffers} from './lane-offers.ts';
import {createPackPolicies} from './pack-policies.ts';
import {locateRules} from './locate-rules.ts';
import {powerlessRules} from './powerless-rules.ts';
import {registerTools} from './register-tools.ts';
import {rejectedLoosening} from './rejected-loosening.ts';
import {scopesWithoutEffect} from './scopes-without-effect.ts';
import {tooComplexGrants} from './too-complex-grants.ts';
import {trustedPathsOf} from './trusted-paths-of.ts';
import {unknownArguments} from './unknown-arguments.ts';
import {unknownNames} from './unknown-names.ts';
import {findWithheldTools} from './withheld-tools.ts';
import {unpinnedHostCode} from './unpinned-host-code.ts';

export interface WorkspaceSource {
  readonly spec: WorkspaceSpec;
  readonly packs: readonly LoadedPack[];
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

export interface WorkspaceCompilerPorts extends PolicyCompilerPorts {
  /** For a schema that is known to compile; the work may be put off until the first value. */
  compileSchema(schema: object): ValueValidator;
}

export interface WorkspaceCompilation {
  readonly workspace: CompiledWorkspace;
  readonly problems: readonly Problem[];
}

/** Kept from every tool, as packs' own state is: secrets that no task needs. */
const credentials = ['.env', '.ssh/**', '.aws/**', '.gnupg/**'];

export function compileWorkspace(source: WorkspaceSource, lent: WorkspaceCompilerPorts): WorkspaceCompilation {
  const {spec, packs, locate} = source;
  const problems: Problem[] = [];
  const collect = <T extends {readonly problems: readonly Problem[]}>(result: T): T => {
    problems.push(...result.problems);
    return result;
  };
  const all = [createBuiltinPack((schema) => lent.compileSchema(schema)), ...packs];
  const tools = collect(registerTools(all, collect(marksOf(source, all, lent))));
  const ports = {...lent, describeTool: describeTools(tools.byName), groups: spec.approvals?.groups};
  const networkDefault = spec.security.network_default ?? 'off';
  type Scopes = typeof spec.security.allowed_scopes;
  const scopeLayer = (name: 'workspace' | 'lane', scopes: Scopes, at: string): ScopeLayer =>
    collect(
      compileScopeLayer({
        name,
        scopes,
        where: (index, inside = '') => locate(`${at}/${index}${inside}`),
        networkDefault,
      }),
    ).layer;

  const compilePolicies = (name: 'workspace' | 'lane', policies: PolicyLayer | undefined, at: string): CompiledLayer =>
    collect(compilePolicyLayer({...policyLayer(name, policies, at, locate), ports})).layer;

  const known = isComplete(source) ? [...tools.byName.values()] : undefined;
  const lanes = new Map<string, CompiledLane>();
  for (const [index, lane] of spec.lanes.entries()) {
    lanes.set(lane.id, {
      spec: lane,
      scopes: scopeLayer('lane', lane.allowed_scopes, `/lanes/${index}/allowed_scopes`),
      policy: compilePolicies('lane', lane.policies, `/lanes/${index}/policies`),
      offers: collect(
        compileLaneOffers(lane, known, {
          where: (entry) => locate(`/lanes/${index}/offers/${entry}`),
          compileRegex: (source) => ports.compileRegex(source),
        }),
      ).offers,
    });
  }
  const packPolicies = collect(createPackPolicies(packs, ports));
  const withheld = collect(findWithheldTools(packs, {locate, ports}));
  const direct = collect(compileDirectWrites(source, known, ports));
  const workspace: CompiledWorkspace = {
    spec,
    trustedPaths: trustedPathsOf(spec),
    scopes: scopeLayer('workspace', spec.security.allowed_scopes, '/security/allowed_scopes'),
    holes: collect(holesOf(source)).holes,
    policy: compilePolicies('workspace', spec.policies, '/policies'),
    allowLoosening: spec.policies?.allow_loosening ?? [],
    lanes,
    packs: new Map(packs.map((pack) => [pack.manifest.id, pack])),
    tools: tools.byName,
    withheld: withheld.reasons,
    renamed: renamedBy(packs),
    packOfTaskType: new Map(packs.flatMap((pack) => pack.manifest.task_types.map((type) => [type, pack] as const))),
    packPolicy: packPolicies.of,
    agreesToDirectWrites: direct.agrees,
  };
  return {workspace, problems: [...problems, ...problemsOfWhole(source, workspace, lent)]};
}

/** Exported for the review of rules, which registers the tools again. */
export function marksOf(
  {spec, locate}: WorkspaceSource,
  packs: readonly LoadedPack[],
  {compileRegex}: Pick<PolicyCompilerPorts, 'compileRegex'>,
): Marks {
  const marks = spec.policies?.marks ?? [];
  return compileMarks({marks, packs, where: (index) => locate(`/policies/marks/${index}`), compileRegex});
}

/** Whether every pin was loaded; a host can add packs of its own. */
function isComplete({spec, packs}: WorkspaceSource): boolean {
  return spec.packs.every(({id}) => packs.some(({pin}) => pin.id === id));
}

function renamedBy(packs: WorkspaceSource['packs']): ReadonlyMap<string, RenamedTool> {
  return new Map(packs.flatMap(({manifest}) => Object.entries(manifest.renamed ?? {}) as [string, RenamedTool][]));
}

/** Those that no single part has. */
function problemsOfWhole(
  source: WorkspaceSource,
  workspace: CompiledWorkspace,
  ports: WorkspaceCompilerPorts,
): readonly Problem[] {
  const {scopes, lanes, holes} = workspace;
  // Where a pack is missing, its own problem says so.
  const tools = isComplete(source) ? [...workspace.tools.values()] : undefined;
  return [
    ...unknownNames(
      source,
      tools?.map(({name}) => name),
      workspace.renamed,
    ),
    ...approvalReceivers(source),
    ...powerlessRules(source),
    ...rejectedLoosening(source),
    ...unsafeTier(source),
    ...unpinnedHostCode(source),
    ...scopesWithoutEffect({workspace: scopes, lanes, holes}),
    ...(tools ? unknownArguments(source, tools, ports) : []),
    ...tooComplex(workspace),
  ];
}

function holesOf({spec, packs, locate}: WorkspaceSource): ReturnType<typeof compileHoles> {
  const stateFolders = packs.flatMap(({manifest: {state_folder: folder}}) => (folder ? [`${folder}/**`] : []));
  const place = (index: number): string => locate(`/security/deny_overlays/${index}`);
  return compileHoles(spec.security.deny_overlays ?? [], place, [...credentials, ...stateFolders]);
}

/** What has no sandbox is said whenever the workspace is loaded. */
function unsafeTier({spec, locate}: WorkspaceSource): readonly Problem[] {
  if (spec.security.sandbox?.profile !== 'dev') return [];
  return [
    {
      code: 'SANDBOX_OFF',
      severity: 'warning',
      message: "no call is sandboxed: at the tier `dev`, handlers run with all rights of the host's user",
      where: locate('/security/sandbox/profile'),
      help: 'use `standard` for anything but development',
    },
  ];
}

/** A workspace whose scopes cannot be intersected within bounds is refused. */
function tooComplex(workspace: CompiledWorkspace): readonly Problem[] {
  const task = unrestrictedLayer('task', 'any task');
  return [...workspace.lanes.values()].flatMap((lane) =>
    [...tooComplexGrants(workspace, {lane: lane.scopes, task})].map(({tool, denial: {message, where, help}}) => ({
      code: 'SCOPE_TOO_COMPLEX',
      severity: 'error',
      message: `\`${tool.name}\`: ${message}`,
      where,
      help,
    })),
  );
}

/** A layer's rules with the places they are written at. */
function policyLayer(
  layer: 'workspace' | 'lane',
  policies: PolicyLayer | undefined,
  at: string,
  locate: WorkspaceSource['locate'],
): Omit<PolicyLayerSource, 'ports'> {
  const rules = locateRules(policies, at, locate);
  const default_decision = policies?.default_decision;
  if (default_decision === undefined) return {layer, rules};
  return {layer, rules, default_decision, default_where: locate(`${at}/default_decision`)};
}
