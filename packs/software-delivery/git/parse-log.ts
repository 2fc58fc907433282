// The log format for git, and its parser. NUL ends each field and record, because a commit cannot contain NUL.
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** ISO 8601 with the author's offset. */
  readonly date: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  /** Branches and tags that point here. */
  readonly refs: readonly string[];
  readonly summary: string;
  /** The message below the summary; empty if there is none. */
  readonly body: string;
}

const fields = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%D', '%s', '%b'];

/** To be used with `-z`. */
export const logFormat: string = `--format=tformat:${fields.join('%x00')}`;

/** For truncated text, returns only the complete commits. */
export function parseLog(text: string): Commit[] {
  const values = text.split('\0').slice(0, -1);
  const commits: Commit[] = [];
  for (let at = 0; at + fields.length <= values.length; at += fields.length) {
    commits.push(readCommit(values.slice(at, at + fields.length)));
  }
  return commits;
}

function readCommit(values: readonly string[]): Commit {
  const value = (at: number): string => values[at] ?? '';
  const words = (text: string, separator: string): string[] => (text === '' ? [] : text.split(separator));
  return {
    sha: value(0),
    tree: value(1),
    parents: words(value(2), ' '),
    author: {name: value(3), email: value(4), date: value(5)},
    committer: {name: value(6), email: value(7), date: value(8)},
    refs: words(value(9), ', '),
    summary: value(10),
    body: value(11).trimEnd(),
  };
}
