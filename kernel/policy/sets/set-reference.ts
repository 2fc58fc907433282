// `$NAME` in place of a glob: the members of a set of workspace.yaml.

/** The name of the set; undefined for any other text. */
export function setReference(text: unknown): string | undefined {
  return typeof text === 'string' ? /^\$([A-Za-z][A-Za-z0-9_-]*)$/u.exec(text)?.[1] : undefined;
}

/** Why a reference that is still there when a rule is compiled is an error. */
export function unknownSet(name: string): {readonly message: string; readonly help: string} {
  return {
    message: `there is no set \`${name}\``,
    help: 'define it in `policies.sets` of workspace.yaml; rules of tasks and packs cannot use sets',
  };
}
