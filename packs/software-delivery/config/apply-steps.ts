// The steps for a person to apply a proposed change of workspace.yaml.
export function applySteps(change: string): readonly string[] {
  return [
    `${change} of workspace.yaml`,
    'check it: `lumenflow policy test`',
    'restart the runtime: a running one rejects a changed workspace.yaml',
  ];
}
