// What only the kernel reports of a pack: mistakes in scopes and rules. It compiles the pack in a workspace that allows everything.
import type {LoadedPack, Problem} from '@lumenflow/kernel';
import {compileWorkspace} from '@lumenflow/kernel/adapters';
import {compileRegex, createSchemaCompiler} from '@lumenflow/kernel/node';
import type {Scope, WorkspaceSpec} from '@lumenflow/schemas';

/** Stands for every place in the workspace, which the pack's author did not write. */
const elsewhere = '';

const everything: readonly Scope[] = [
  {type: 'path', pattern: '**', access: 'read'},
  {type: 'path', pattern: '**', access: 'write'},
  {type: 'network', posture: 'full'},
];

/** Only errors: a warning about another pack's tools means nothing where that pack is absent. */
export function checkCompiled(pack: LoadedPack): readonly Problem[] {
  const spec: WorkspaceSpec = {
    id: 'check',
    packs: [pack.pin],
    lanes: [{id: 'main', allowed_scopes: [...everything]}],
    security: {allowed_scopes: [...everything]},
    policies: {default_decision: 'allow'},
  };
  const ports = {
    compileRegex,
    monotonic: () => performance.now(),
    compileSchema: createSchemaCompiler().compileLater,
  };
  const {problems} = compileWorkspace({spec, packs: [pack], locate: () => elsewhere}, ports);
  return problems.filter(({severity, where}) => severity === 'error' && where !== elsewhere);
}
