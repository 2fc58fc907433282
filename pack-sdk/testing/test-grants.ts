// What a tool under test may reach. Only patterns that mean the same without a pattern language are taken,
// so that a test never grants something else than the kernel would.

export interface TestGrants {
  /** `**`, `folder/**` or the path of one file; default `**`. */
  readonly read?: readonly string[];
  /** Likewise; what may be written may be read. Default `**`, or nothing when only `read` is given. */
  readonly write?: readonly string[];
}

export interface GrantedPaths {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** `path` is relative, with `/`, without `.` and `..`; the root is `.`. */
  allows(path: string, access: 'read' | 'write'): boolean;
  /** Whether something below the folder may be read. */
  leadsToReadable(folder: string): boolean;
}

/** Throws TypeError for a pattern of another form. */
export function compileGrants(grants: TestGrants = {}): GrantedPaths {
  const write = grants.write ?? (grants.read === undefined ? ['**'] : []);
  const read = [...(grants.read ?? (grants.write === undefined ? ['**'] : [])), ...write];
  for (const pattern of read) checkPattern(pattern);
  return {
    read: [...new Set(read)],
    write,
    allows: (path, access) => (access === 'read' ? read : write).some((pattern) => covers(pattern, path)),
    leadsToReadable: (folder) => folder === '.' || read.some((pattern) => pattern.startsWith(`${folder}/`)),
  };
}

function covers(pattern: string, path: string): boolean {
  if (pattern === '**' || pattern === path) return true;
  const folder = pattern.endsWith('/**') ? pattern.slice(0, -3) : undefined;
  return folder !== undefined && (path === folder || path.startsWith(`${folder}/`));
}

function checkPattern(pattern: string): void {
  const literal = pattern === '**' ? '' : pattern.replace(/\/\*\*$/u, '');
  const isPath = literal.split('/').every((name) => name !== '.' && name !== '..');
  if (pattern !== '' && !literal.startsWith('/') && isPath && !/[*?{}\\]/u.test(literal)) return;
  throw new TypeError(
    `\`${pattern}\` cannot be granted in memory: use \`**\`, \`folder/**\` or the path of a file, or test the pattern with testPack`,
  );
}
