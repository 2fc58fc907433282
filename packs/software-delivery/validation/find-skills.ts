// The skills of a repository: one folder each, with a SKILL.md, in the directories that agents search.
import {isToolError, type DirectoryEntry, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {checkSkill, type CheckedSkill} from './check-skill.ts';
import {error, type ValidationFinding} from './validation-finding.ts';

export interface FoundSkill extends CheckedSkill {
  /** Relative to the workspace. */
  readonly path: string;
}

export interface FoundSkills {
  readonly skills: readonly FoundSkill[];
  /** Skill folders without a SKILL.md. */
  readonly empty: readonly ValidationFinding[];
}

export async function findSkills(fs: ScopedFileSystem, config: PackConfig): Promise<FoundSkills> {
  const skills: FoundSkill[] = [];
  const empty: ValidationFinding[] = [];
  for (const folder of config?.skills?.folders ?? ['.agents/skills', '.claude/skills', 'skills']) {
    for (const {name, kind} of await listIfThere(fs, folder)) {
      if (kind !== 'directory') continue;
      const path = `${folder}/${name}/SKILL.md`;
      if ((await fs.stat(path))?.kind !== 'file') {
        empty.push(error(`${folder}/${name}`, 'SKILL_MISSING', 'the folder has no file `SKILL.md`'));
        continue;
      }
      const checked = checkSkill({folder: name, path, text: await fs.readText(path)});
      skills.push({path, ...checked, findings: [...checked.findings, ...(await checkLinks(fs, path, checked))]});
    }
  }
  return {skills, empty};
}

async function checkLinks(
  fs: ScopedFileSystem,
  path: string,
  {links}: CheckedSkill,
): Promise<readonly ValidationFinding[]> {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const findings: ValidationFinding[] = [];
  for (const {to, line} of links) {
    const target = joinPath(folder, to);
    const there = target !== undefined && (await fs.stat(target)) !== undefined;
    if (!there) findings.push(error(`${path}:${line}`, 'SKILL_LINK', `it links to \`${to}\`, which does not exist`));
  }
  return findings;
}

/** Undefined if it leads outside the workspace. */
function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

export async function listIfThere(fs: ScopedFileSystem, folder: string): Promise<readonly DirectoryEntry[]> {
  try {
    return await fs.list(folder);
  } catch (error) {
    if (isToolError(error) && error.code === 'NOT_FOUND') return [];
    throw error;
  }
}
