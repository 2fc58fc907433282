// What `lumenflow init` finds in a folder: the top folders that hold the project's own work, and the instructions of agents.
import {gitFiles} from '../../workspace-checks/git-files.ts';
import {readdir} from 'node:fs/promises';

export interface Project {
  /** Sorted; without hidden folders, packages of others, secrets, and what builds write. */
  readonly folders: readonly string[];
  /** Files at the root that agents obey, such as AGENTS.md. */
  readonly instructions: readonly string[];
}

const notWork =
  /^(?:\..*|node_modules|bower_components|vendor|third_party|dist|build|out|target|coverage|secrets|worktrees|venv|env|__pycache__|.*\.egg-info)$/iu;
const instructionFile =
  /^(?:AGENTS|CLAUDE|GEMINI|QWEN|CRUSH|CONVENTIONS)(?:\.local)?\.md$|^\.(?:cursor|windsurf|cline)rules$/iu;
const foldersMax = 40;

/** In a repository only what git tracks or would add counts. */
export async function surveyProject(root: string, searchPath: string): Promise<Project> {
  const {folders, files} = await topNames(root, searchPath);
  return {
    // Patterns with characters of the pattern language would need an escape.
    folders: folders.filter((name) => !notWork.test(name) && /^[\p{L}\p{N} ._@+-]+$/u.test(name)).slice(0, foldersMax),
    instructions: files.filter((name) => instructionFile.test(name)),
  };
}

interface TopNames {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

async function topNames(root: string, searchPath: string): Promise<TopNames> {
  const paths = await gitFiles({folder: root, searchPath, untracked: true});
  if (paths === undefined) {
    const entries = await readdir(root, {withFileTypes: true});
    return {
      folders: entries
        .filter((entry) => entry.isDirectory())
        .map(({name}) => name)
        .toSorted(),
      files: entries
        .filter((entry) => entry.isFile())
        .map(({name}) => name)
        .toSorted(),
    };
  }
  const folders = new Set(paths.filter((path) => path.includes('/')).map((path) => path.split('/', 1).join('')));
  return {folders: [...folders].toSorted(), files: paths.filter((path) => !path.includes('/')).toSorted()};
}
