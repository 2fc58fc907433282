// Renders the problems of a workspace or pack by file, each with its location and fix. A location is `file:line:column`, which
// terminals open.
import type {Problem} from '@lumenflow/kernel';
import {cleanText} from './clean-text.ts';
import {wrapText} from './render-fields.ts';
import type {Style} from './style.ts';

/** `excerptOf` returns the source lines of a location, which are shown with the problem. */
export function renderProblems(
  problems: readonly Problem[],
  style: Style,
  excerptOf: (where: string) => string | undefined = () => undefined,
): string {
  const files = [...new Set(problems.map(({where}) => fileOf(where)))];
  return files
    .map((file) => {
      const found = problems
        .filter(({where}) => fileOf(where) === file)
        .toSorted((a, b) => a.where.localeCompare(b.where, 'en', {numeric: true}));
      return found.map((problem) => renderProblem(problem, style, excerptOf(problem.where))).join('\n');
    })
    .join('\n\n');
}

function renderProblem(problem: Problem, style: Style, excerpt: string | undefined): string {
  const isError = problem.severity === 'error';
  const mark = isError ? style.bad('✘') : style.warning('!');
  const pointer = problem.pointer === undefined ? '' : style.dim(` ${cleanText(problem.pointer)}`);
  const head = `  ${mark} ${style.accent(cleanText(problem.where))} ${style.dim(problem.code)}${pointer}`;
  const message = indent(wrapText(cleanText(problem.message), style.width - 4));
  const help =
    problem.help === undefined
      ? []
      : [indent(wrapText(`${style.good('fix:')} ${cleanText(problem.help)}`, style.width - 4))];
  return [head, message, ...(excerpt === undefined ? [] : [indent(excerpt)]), ...help].join('\n');
}

/** The file of `file:line:column`. */
function fileOf(where: string): string {
  return where.replace(/:\d+(?::\d+)?$/u, '');
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
