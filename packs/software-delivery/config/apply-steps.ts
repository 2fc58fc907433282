// What a person does with a proposed change of workspace.yaml.
export function applySteps(change: string): readonly string[] {
  return [
    `${change} of workspace.yaml`,
    'have it checked: `lumenflow policy test`',
    'start the runtime anew: a running one refuses a changed workspace.yaml',
  ];
}
