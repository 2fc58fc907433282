// Whether a workspace loads and can run its calls here: its files, its packs and rules, the variables and keys that it names, and
// what its sandbox needs of this machine. It starts no kernel and touches no state.
import type {Problem} from '@lumenflow/kernel';
import {withLoadedWorkspace, type LoadedWorkspace, type LoadRequest} from '../loading/with-loaded-workspace.ts';
import {counted} from '../text/counted.ts';
import {areaOf, type CheckArea} from './check-area.ts';
import {checkpointKeyProblems} from './checkpoint-key-problems.ts';
import {directoryScopes} from './directory-scopes.ts';
import {lintRules} from './lint-rules.ts';
import {machineProblems} from './machine-problems.ts';
import {missingVariables} from './missing-variables.ts';
import {unreachableWitnesses} from './unreachable-witnesses.ts';

export interface CheckRequest extends LoadRequest {
  /** Whether to check what this machine has: the sandbox, the variables and the keys. */
  readonly checksMachine: boolean;
  /** The time: dates of rules may be over. */
  readonly nowMs: number;
}

export interface AreaCheck {
  readonly area: CheckArea;
  /** What was checked, in a few words. */
  readonly detail: string;
  readonly is_skipped?: true;
}

export interface WorkspaceCheck {
  /** In order; without areas that were not checked. */
  readonly areas: readonly AreaCheck[];
  /** Each belongs to the area that `areaOf` names. */
  readonly problems: readonly Problem[];
}

export async function checkWorkspace(request: CheckRequest): Promise<WorkspaceCheck> {
  return await withLoadedWorkspace(request, async (loaded) => {
    if (!loaded.ok) return {areas: [{area: 'workspace.yaml', detail: 'cannot be read'}], problems: loaded.problem};
    const {value: workspace} = loaded;
    const {rules, findings} = lintRules(workspace, request.nowMs);
    const faults = findings.filter(({is_note}) => is_note !== true).map(problemOf);
    const machine = request.checksMachine ? await machineOf(workspace, request) : undefined;
    const directories = directoryScopes(workspace.source, request.workspaceRoot);
    const found = [...workspace.problems, ...directories, ...faults, ...(machine?.problems ?? [])];
    return {
      areas: [
        ...areasOfFiles(workspace, rules),
        ...(machine?.areas ?? [{area: 'sandbox', detail: 'not tried', is_skipped: true}]),
      ],
      problems: request.checksMachine ? found : found.filter(({code}) => areaOf(code) !== 'environment'),
    };
  });
}

/** Without the proof, which `policy lint` shows. */
function problemOf({code, severity, message, where, help}: Problem): Problem {
  return {code, severity, message, where, help};
}

function areasOfFiles({source, workspace}: LoadedWorkspace, rules: string | undefined): readonly AreaCheck[] {
  const {lanes, packs, security} = source.spec;
  return [
    {area: 'workspace.yaml', detail: counted(lanes.length, 'lane')},
    {area: 'packs', detail: `${counted(packs.length, 'pack')}, ${counted(workspace.tools.size, 'tool')}`},
    {area: 'scopes', detail: counted(security.deny_overlays?.length ?? 0, 'deny overlay')},
    rules === undefined ? {area: 'rules', detail: 'not reviewed', is_skipped: true} : {area: 'rules', detail: rules},
  ];
}

async function machineOf(workspace: LoadedWorkspace, {workspaceRoot, env = {}}: LoadRequest): Promise<WorkspaceCheck> {
  const variables = missingVariables(workspace, env);
  const sandbox = await machineProblems(workspace, {workspaceRoot, env});
  return {
    areas: [
      {area: 'environment', detail: variables.detail},
      {area: 'sandbox', detail: sandbox.detail},
    ],
    problems: [
      ...variables.problems,
      ...checkpointKeyProblems(workspace.source, env),
      ...(await unreachableWitnesses(workspace.source)),
      ...sandbox.problems,
    ],
  };
}
