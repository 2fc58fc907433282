// Reports a program that was not started or resumed like any other failure of a command: each of its problems has its position.
import type {Problem} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import type {CliContext, Outcome} from '../command.ts';
import {exitCode, exitCodeOf} from '../failures/exit-code.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import {sourceExcerpt} from '../rendering/source-excerpt.ts';

export function programFailure({cwd, errorStyle}: CliContext, failure: ToolFailure): Outcome {
  const problems = (failure.details?.['problems'] ?? []) as readonly Problem[];
  const shown = problems.length === 0 ? failure : {code: failure.code, message: 'the program was not started'};
  const note = (): string =>
    [
      renderFailure(shown, {}, errorStyle),
      renderProblems(problems, errorStyle, (where) => sourceExcerpt(where, cwd, errorStyle)),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  const code = failure.code === 'INVALID_INPUT' ? exitCode.usage : exitCodeOf(failure.code);
  return {data: {}, failure, note, exitCode: code};
}
