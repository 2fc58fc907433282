// Validates one spec: its file, record, lane, paths and dependencies.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {codePathPattern} from '../overlaps/code-path-pattern.ts';
import type {PackConfig} from '../pack-config.ts';
import {checkLane} from './check-lane.ts';
import {checkLinks} from './check-links.ts';
import type {LaneView} from './kernel-tasks.ts';
import type {SpecReader} from './spec-reader.ts';
import {readSoundSpec, type SoundSpecFile} from './spec-files.ts';
import {unreachablePaths} from './unreachable-paths.ts';
import type {WorkUnits} from './work-unit-slice.ts';

export interface SpecFinding {
  readonly id: string;
  /** `file:line:column` if known. */
  readonly where: string;
  readonly code: string;
  readonly severity: 'error' | 'warn';
  readonly message: string;
}

export interface SpecQuestion {
  readonly id: string;
  readonly state: WorkUnits;
  readonly lanes: readonly LaneView[];
  readonly reader: SpecReader;
}

export async function validateSpec(
  context: Pick<ToolContext<PackConfig>, 'fs' | 'config'>,
  question: SpecQuestion,
): Promise<readonly SpecFinding[]> {
  const {id, reader} = question;
  try {
    return contentFindings(await readSoundSpec(context, id, reader), question);
  } catch (error) {
    if (!isToolError(error)) throw error;
    const {code, message, details} = error;
    const problems = (details?.['problems'] ?? [{where: id, message}]) as readonly {where: string; message: string}[];
    return problems.map((problem) => ({id, code, severity: 'error', ...problem}));
  }
}

function contentFindings(file: SoundSpecFile, question: SpecQuestion): readonly SpecFinding[] {
  const {spec, path} = file;
  const {id, state, lanes} = question;
  const of = (code: string, severity: SpecFinding['severity'], message: string): SpecFinding => ({
    id,
    where: path,
    code,
    severity,
    message,
  });
  const refused = (check: () => void): readonly SpecFinding[] => {
    try {
      check();
      return [];
    } catch (error) {
      if (!isToolError(error)) throw error;
      return [of(error.code, 'error', error.message)];
    }
  };
  const unit = state.units[id];
  return [
    ...(unit === undefined
      ? [of('NOT_RECORDED', 'error', `\`${id}\` exists only as a file: run \`doctor\` with \`fix: true\` to record it`)]
      : []),
    ...(unit !== undefined && unit.spec_hash !== file.hash
      ? [of('SPEC_CHANGED', 'warn', 'the file differs from its record: run `wu:edit` with only the id to record it')]
      : []),
    ...refused(() => checkLane(lanes, spec.lane)),
    ...refused(() => checkLinks(state, spec)),
    ...spec.code_paths.flatMap((each) => refused(() => codePathPattern(each))),
    ...unreachablePaths(spec, lanes).map((each) =>
      of('CODE_PATH_OUTSIDE_LANE', 'warn', `lane \`${spec.lane}\` does not allow writes to \`${each}\``),
    ),
    ...(spec.code_paths.length === 0 && needsCode.includes(spec.type)
      ? [of('NO_CODE_PATHS', 'warn', `a ${spec.type} without \`code_paths\` cannot change any file`)]
      : []),
  ];
}

const needsCode: readonly string[] = ['feature', 'bug', 'refactor'];
