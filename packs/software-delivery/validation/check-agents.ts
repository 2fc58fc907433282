// Checks that every skill named by an agent exists, under a unique name.
import type {ScopedFileSystem} from '@lumenflow/pack-sdk';
import {error, warn, type ValidationFinding} from './validation-finding.ts';
import {listIfThere, type FoundSkill} from './find-skills.ts';
import {readFrontMatter} from './read-front-matter.ts';

export interface AgentFile {
  readonly path: string;
  readonly text: string;
}

/** Directories of agent definitions: Markdown files whose front matter may list `skills`. */
const agentFolders = ['.agents/agents', '.claude/agents', 'agents'];

export async function findAgents(fs: ScopedFileSystem): Promise<readonly AgentFile[]> {
  const agents: AgentFile[] = [];
  for (const folder of agentFolders) {
    for (const {name, kind} of await listIfThere(fs, folder)) {
      const path = `${folder}/${name}`;
      if (kind === 'file' && name.endsWith('.md')) agents.push({path, text: await fs.readText(path)});
    }
  }
  return agents;
}

export function checkAgents(agents: readonly AgentFile[], skills: readonly FoundSkill[]): readonly ValidationFinding[] {
  const names = new Set(skills.map(({name}) => name));
  return [
    ...duplicates(skills),
    ...agents.flatMap(({path, text}): readonly ValidationFinding[] => {
      const front = readFrontMatter(path, text);
      if (!front.ok) return [{...front.problem, severity: 'warn'}];
      return namesOf(front.fields['skills'])
        .filter((name) => !names.has(name))
        .map((name) => error(front.lineOf('skills'), 'AGENT_SKILL', `there is no skill \`${name}\``));
    }),
  ];
}

function duplicates(skills: readonly FoundSkill[]): readonly ValidationFinding[] {
  return skills.flatMap(({name, path}, index) => {
    const first = skills.slice(0, index).find((skill) => name !== undefined && skill.name === name);
    return first === undefined
      ? []
      : [warn(path, 'SKILL_DUPLICATE', `\`${first.path}\` has the same name, and agents may load either one`)];
  });
}

/** A list, or names separated by commas. */
function namesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string'
    ? value
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean)
    : [];
}
