// The pattern language for tests, in its plainest form: `**` is zero or more whole segments.
export function globMatcher(pattern: string): (path: string) => boolean {
  const text = pattern
    .split('/')
    .map((segment) => (segment === '**' ? '(?:[^/]+/)*' : `${segmentText(segment)}/`))
    .join('');
  const regex = new RegExp(`^${text}$`);
  return (path) => regex.test(`${path}/`);
}

function segmentText(segment: string): string {
  return segment
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}
