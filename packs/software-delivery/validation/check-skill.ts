// Checks a SKILL.md against the open Agent Skills format (agentskills.io/specification).
import {error, warn, type ValidationFinding} from './validation-finding.ts';
import {readFrontMatter} from './read-front-matter.ts';

export interface SkillFile {
  /** The folder's name, which the skill must also have. */
  readonly folder: string;
  readonly path: string;
  readonly text: string;
}

export interface CheckedSkill {
  /** Undefined if it has none. */
  readonly name: string | undefined;
  /** Links to other files in the text, relative to the skill's folder. */
  readonly links: readonly {readonly to: string; readonly line: number}[];
  readonly findings: readonly ValidationFinding[];
}

const knownKeys = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];
const bodyLinesMax = 500;

export function checkSkill({folder, path, text}: SkillFile): CheckedSkill {
  const front = readFrontMatter(path, text);
  if (!front.ok) return {name: undefined, links: [], findings: [front.problem]};
  const {fields, lineOf, body, bodyStart} = front;
  const {name, description} = fields;
  const bodyLines = body.split('\n').length;
  return {
    name: typeof name === 'string' ? name : undefined,
    links: linksOf(body, bodyStart),
    findings: [
      ...checkName(name, folder).map((message) => error(lineOf('name'), 'SKILL_NAME', message)),
      ...checkText(description, 1024).map((message) => error(lineOf('description'), 'SKILL_DESCRIPTION', message)),
      ...checkOptional(fields).map(({key, message}) => error(lineOf(key), 'SKILL_FIELD', message)),
      ...Object.keys(fields)
        .filter((key) => !knownKeys.includes(key))
        .map((key) =>
          warn(lineOf(key), 'SKILL_FIELD', `\`${key}\` is not a field of the format: put it under \`metadata\``),
        ),
      ...(body.trim() === '' ? [error(path, 'SKILL_BODY', 'it has no instructions')] : []),
      ...(bodyLines > bodyLinesMax
        ? [
            warn(
              path,
              'SKILL_BODY',
              `it has ${bodyLines} lines, more than ${bodyLinesMax}: move details to other files`,
            ),
          ]
        : []),
    ],
  };
}

function checkName(name: unknown, folder: string): readonly string[] {
  if (typeof name !== 'string' || name === '') return ['`name` is missing'];
  return [
    ...(name.length > 64 ? ['`name` has more than 64 characters'] : []),
    ...(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(name)
      ? []
      : [`\`${name}\` must consist of lower-case letters and digits, separated by single \`-\``]),
    ...(name === folder ? [] : [`\`${name}\` must be the name of its folder, \`${folder}\``]),
  ];
}

function checkText(value: unknown, charsMax: number): readonly string[] {
  if (typeof value !== 'string' || value.trim() === '') return ['it is missing or empty'];
  return value.length > charsMax ? [`it has ${value.length} characters; at most ${charsMax} are allowed`] : [];
}

function checkOptional(
  fields: Readonly<Record<string, unknown>>,
): readonly {readonly key: string; readonly message: string}[] {
  const {license, compatibility, metadata, 'allowed-tools': tools} = fields;
  const isTextMap =
    typeof metadata === 'object' &&
    metadata !== null &&
    !Array.isArray(metadata) &&
    Object.values(metadata).every((value) => typeof value === 'string');
  return [
    ...(license === undefined || typeof license === 'string'
      ? []
      : [{key: 'license', message: '`license` must be a string'}]),
    ...(compatibility === undefined
      ? []
      : checkText(compatibility, 500).map((message) => ({
          key: 'compatibility',
          message: `\`compatibility\`: ${message}`,
        }))),
    ...(metadata === undefined || isTextMap
      ? []
      : [{key: 'metadata', message: '`metadata` must map names to strings'}]),
    ...(tools === undefined || typeof tools === 'string'
      ? []
      : [{key: 'allowed-tools', message: '`allowed-tools` must be a string of names separated by spaces'}]),
  ];
}

/** Relative links to files. Addresses, anchors and links in code are ignored. */
function linksOf(body: string, lineOffset: number): CheckedSkill['links'] {
  let fenced = false;
  return body.split('\n').flatMap((line, index) => {
    if (/^ {0,3}(?:```|~~~)/u.test(line)) fenced = !fenced;
    if (fenced) return [];
    const targets = [...line.replaceAll(/`[^`]*`/gu, '').matchAll(/\]\(<?([^)>\s#]+)[^)]*\)/gu)];
    return targets
      .map((match) => match[1] ?? '')
      .filter((to) => to !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/)/iu.test(to))
      .map((to) => ({to: decoded(to), line: lineOffset + index + 1}));
  });
}

/** A badly encoded name is used unchanged. */
function decoded(to: string): string {
  try {
    return decodeURI(to);
  } catch {
    return to;
  }
}
