/** A name that would lead to another directory, or nowhere. */
export class InvalidFileName extends Error {
  readonly component: string;

  constructor(component: string) {
    super(`\`${component}\` is not a valid file name`);
    this.component = component;
  }
}

/** Whether a component stays in its directory. */
export function isName(component: string): boolean {
  return component !== '' && component !== '.' && component !== '..' && !/[/\0]/.test(component);
}
