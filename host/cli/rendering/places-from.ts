// Positions of problems as a terminal can open them: relative to the folder in which the command runs.
import type {Problem} from '@lumenflow/kernel';
import {isAbsolute, relative, resolve} from 'node:path';

/** `root` is the folder that relative positions start from. */
export function placesFrom(cwd: string, root: string, problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) => {
    if (isAbsolute(problem.where)) return problem;
    return {...problem, where: relative(cwd, resolve(root, problem.where))};
  });
}
