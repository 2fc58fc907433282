// Parses git's configuration files, as far as needed to find the values of variables: git-config(1), SYNTAX.

export interface GitVariable {
  /** `section.subsection.variable`; all but the subsection in lower case. */
  readonly name: string;
  readonly value: string;
}

const sectionLine = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const variableLine = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/s;

/** Omits lines that it cannot parse; git would reject the whole file. */
export function parseGitConfig(text: string): readonly GitVariable[] {
  const variables: GitVariable[] = [];
  let prefix = '';
  for (const line of logicalLines(text)) {
    let rest = line.trim();
    const section = sectionLine.exec(rest);
    if (section !== null) {
      const [whole, name = '', quoted] = section;
      prefix = `${name.toLowerCase()}.${quoted === undefined ? '' : `${quoted.replaceAll(/\\(.)/g, '$1')}.`}`;
      rest = rest.slice(whole.length).trim();
    }
    const [, variable, value] = variableLine.exec(rest) ?? [];
    if (variable === undefined) continue;
    variables.push({name: `${prefix}${variable.toLowerCase()}`, value: unquoted(value ?? 'true')});
  }
  return variables;
}

/** A backslash at the end of a line joins it with the next one. */
function logicalLines(text: string): readonly string[] {
  return text.replaceAll('\r\n', '\n').replaceAll(/\\\n/g, '').split('\n');
}

/** Without quotes, escapes and the trailing comment. */
function unquoted(raw: string): string {
  let value = '';
  let isQuoted = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw[at] ?? '';
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') value += escaped(raw[(at += 1)] ?? '');
    else if (!isQuoted && (char === '#' || char === ';')) break;
    else value += char;
  }
  return value.trim();
}

function escaped(char: string): string {
  return {n: '\n', t: '\t', b: '\b'}[char] ?? char;
}
