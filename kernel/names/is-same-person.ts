// Where another person is required, names that differ only in case are one person. Where a rule names a person, only the exact name matches.
export function isSamePerson(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
