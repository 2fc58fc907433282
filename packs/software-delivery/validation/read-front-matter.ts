// The required front matter of a file, with the positions of its fields.
import {isMap, isScalar, LineCounter, parseDocument} from 'yaml';
import {splitFrontMatter} from '../markdown/front-matter.ts';
import {error, type ValidationFinding} from './validation-finding.ts';

export interface FrontMatter {
  readonly ok: true;
  readonly fields: Readonly<Record<string, unknown>>;
  /** `path:line` of a field, or of the front matter if the field is missing. */
  lineOf(field: string): string;
  readonly body: string;
  /** Number of lines before the body. */
  readonly bodyStart: number;
}

export function readFrontMatter(
  path: string,
  text: string,
): FrontMatter | {readonly ok: false; readonly problem: ValidationFinding} {
  const code = 'FRONT_MATTER';
  const split = splitFrontMatter(text);
  if (split === undefined)
    return {ok: false, problem: error(`${path}:1`, code, 'it must start with YAML between two `---` lines')};
  const lines = new LineCounter();
  const document = parseDocument(split.yaml, {lineCounter: lines, prettyErrors: false});
  const lineAt = (offset: number): string => `${path}:${lines.linePos(offset).line + 1}`;
  const [broken] = document.errors;
  if (broken !== undefined)
    return {ok: false, problem: error(lineAt(broken.pos[0]), code, broken.message.split('\n')[0] ?? '')};
  const {contents} = document;
  if (!isMap(contents)) return {ok: false, problem: error(`${path}:2`, code, 'it must map names to values')};
  return {
    ok: true,
    fields: document.toJS() as Readonly<Record<string, unknown>>,
    lineOf(field) {
      const pair = contents.items.find(({key}) => isScalar(key) && key.value === field);
      return isScalar(pair?.key) ? lineAt(pair.key.range?.[0] ?? 0) : `${path}:2`;
    },
    body: split.body,
    bodyStart: split.bodyStart,
  };
}
