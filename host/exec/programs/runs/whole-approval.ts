// The approval of a whole program, which binds its text, its inputs and the packs of its tools. If any of them changes, a person is
// asked again.
import type {CompiledWorkspace} from '@lumenflow/kernel';
import type {PermittedTool, ProgramSource, ProgramStep} from '@lumenflow/schemas';
import type {ProgramDocument} from '../document/read-program.ts';
import {innerSteps} from '../document/inner-steps.ts';

export interface WholeApproval {
  readonly shown: object;
  readonly permitted_tools: readonly PermittedTool[];
}

export function wholeApproval(
  {tools}: CompiledWorkspace,
  {program}: ProgramDocument,
  {text, inputs}: ProgramSource,
): WholeApproval {
  const names = [...new Set(toolsIn(program.steps))].toSorted();
  const found = names.flatMap((name) => tools.get(name) ?? []);
  const permitted_tools = found.map(({name, pack}) => ({
    tool_name: name,
    pack_id: pack.manifest.id,
    pack_integrity: pack.integrity,
  }));
  return {
    shown: {program: text, inputs, tools: found.map(({name, pack}) => `${name}@${pack.manifest.version}`)},
    permitted_tools,
  };
}

function toolsIn(steps: readonly ProgramStep[]): readonly string[] {
  return steps.flatMap((step) => [
    ...(step.call === undefined ? [] : [step.call]),
    ...innerSteps(step).flatMap((list) => toolsIn(list.steps)),
  ]);
}
