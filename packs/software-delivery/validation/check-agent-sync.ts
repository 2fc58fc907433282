// Checks that the instruction files of all agents match their source.
import type {ScopedFileSystem} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {isMarked, readAgentDocs, syncedText} from '../views/agent-docs.ts';
import {error, firstDifference, validationOf, type ValidationFinding, type Validation} from './validation-finding.ts';

const code = 'AGENT_SYNC';

export async function checkAgentSync(fs: ScopedFileSystem, config: PackConfig): Promise<Validation> {
  const named = config?.agent_docs?.source;
  // A repository without agent instructions has nothing to compare.
  if ((await fs.stat(named ?? 'AGENTS.md')) === undefined) {
    return validationOf(0, named === undefined ? [] : [error(named, code, 'the source is missing')]);
  }
  const {source, targets} = await readAgentDocs(fs, config);
  const findings = targets.flatMap(({path, text}): readonly ValidationFinding[] => {
    if (text === undefined) return [error(path, code, 'the file is missing: run `docs:sync`')];
    if (!isMarked(text))
      return [error(path, code, `it has no copy of \`${source.path}\`: run \`docs:sync\` with \`adopt\``)];
    const expected = syncedText(source, {path, text}, false);
    if (expected === text) return [];
    const message = `it differs from \`${source.path}\`: run \`docs:sync\``;
    return [error(`${path}:${firstDifference(expected, text)}`, code, message)];
  });
  return validationOf(targets.length + 1, findings);
}
