// `lumenflow check`: whether a workspace loads and can run its calls on this machine, for people and for CI.
import type {Problem} from '@lumenflow/kernel';
import {areaOf} from '../../check/check-area.ts';
import {checkWorkspace, type WorkspaceCheck} from '../../check/check-workspace.ts';
import {counted} from '../../text/counted.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {placesFrom} from '../rendering/places-from.ts';
import {renderCheck} from '../rendering/render-check.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import {renderSarif} from '../rendering/render-sarif.ts';
import {sourceExcerpt} from '../rendering/source-excerpt.ts';

interface Options {
  readonly sarif?: boolean;
  readonly strict?: boolean;
  /** False with `--no-machine`. */
  readonly machine?: boolean;
}

export const check: Command<Options> = async (context, _args, {sarif = false, strict = false, machine = true}) => {
  const workspaceRoot = findWorkspace(context);
  const checked = await context.spin('checking the workspace', () =>
    checkWorkspace({workspaceRoot, env: context.env, checksMachine: machine, nowMs: Date.now()}),
  );
  const outcome = outcomeOf(context, {workspaceRoot, strict}, checked);
  if (!sarif || context.json) return outcome;
  const text = (): string => renderSarif(checked.problems, {root: workspaceRoot, cwd: context.cwd});
  return {...outcome, text, note: () => ''};
};

function outcomeOf(
  {style, errorStyle, cwd}: CliContext,
  {workspaceRoot, strict}: {readonly workspaceRoot: string; readonly strict: boolean},
  {areas, problems}: WorkspaceCheck,
): Outcome {
  const counts = countBySeverity(problems);
  const message = [
    ...(counts.errors > 0 ? [counted(counts.errors, 'error')] : []),
    ...(counts.warnings > 0 ? [counted(counts.warnings, 'warning')] : []),
  ].join(', ');
  const fails = counts.errors > 0 || (strict && counts.warnings > 0);
  const counted_areas = areas.map((check) => ({
    ...check,
    ...countBySeverity(problems.filter(({code}) => areaOf(code) === check.area)),
  }));
  return {
    data: {workspace: workspaceRoot, areas: counted_areas, problems},
    ...(fails && {failure: {code: 'CHECK_FAILED', message}}),
    text: () => renderCheck(counted_areas, {message, fails}, style),
    note: () => {
      const shown = placesFrom(cwd, workspaceRoot, problems);
      const parts = (['error', 'warning'] as const).map((kind) => shown.filter(({severity}) => severity === kind));
      const excerptOf = (where: string): string | undefined => sourceExcerpt(where, cwd, errorStyle);
      return parts
        .map((part) => (part.length === 0 ? '' : `\n${renderProblems(part, errorStyle, excerptOf)}`))
        .join('');
    },
  };
}

function countBySeverity(problems: readonly Problem[]): {readonly errors: number; readonly warnings: number} {
  const errors = problems.filter(({severity}) => severity === 'error').length;
  return {errors, warnings: problems.length - errors};
}
