/** Subject of the commit by which a claim adds the spec to the work unit's branch. */
export function specSubject(id: string): string {
  return `Record the spec of ${id}`;
}
