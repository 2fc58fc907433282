// Finds all mistakes of a draft, so that a person can correct them together.
import {isToolError, ToolError} from '@lumenflow/pack-sdk';
import {codePathPattern} from '../overlaps/code-path-pattern.ts';
import {checkLane} from '../work-units/check-lane.ts';
import {checkLinks} from '../work-units/check-links.ts';
import type {PartialSpec} from './fill-draft.ts';
import type {LaneView} from '../work-units/kernel-tasks.ts';
import {createSpecReader} from '../work-units/spec-reader.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import {specFields, writeSpec} from '../work-units/write-spec.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';

export interface DraftProblem {
  readonly code: string;
  readonly message: string;
}

export interface DraftQuestion {
  readonly lanes: readonly LaneView[];
  readonly state: WorkUnits;
  /** Where the call came in. On the command line, mistakes name flags. */
  readonly surface?: string | undefined;
}

/** Throws ToolErrors LANE_REQUIRED, LANE_UNKNOWN, INVALID_CODE_PATH and those of `checkLinks`; for several, SPEC_INVALID. */
export function checkDraft(draft: PartialSpec & {readonly id: string}, question: DraftQuestion): WuSpec {
  const errors = mistakesIn(draft, question);
  const [only, ...more] = errors;
  if (only === undefined) return draft as WuSpec;
  if (more.length === 0) throw only;
  const problems: readonly DraftProblem[] = errors.map(({code, message}) => ({code, message}));
  const lines = problems.map(({message}) => `- ${message}`);
  throw new ToolError('SPEC_INVALID', ['the work unit has several mistakes', ...lines].join('\n'), {problems});
}

function mistakesIn(
  draft: PartialSpec & {readonly id: string},
  {lanes, state, surface}: DraftQuestion,
): readonly ToolError[] {
  const {lane, code_paths: paths = [], id, depends_on, blocks, fixes} = draft;
  const links = {id, ...(depends_on && {depends_on}), ...(blocks && {blocks}), ...(fixes !== undefined && {fixes})};
  const named = surface === 'cli' ? withFlags : (error: ToolError): ToolError => error;
  return [
    ...fieldMistakes(draft).map(named),
    ...(lane === undefined ? [named(laneRequired(lanes))] : rejected(() => checkLane(lanes, lane))),
    ...paths.flatMap((path) => rejected(() => codePathPattern(path))),
    ...rejected(() => checkLinks(state, links)),
  ];
}

/** By the schema of spec files. The lane is checked apart. */
function fieldMistakes(draft: PartialSpec): readonly ToolError[] {
  const {problems} = createSpecReader().read(writeSpec({lane: 'any', ...draft} as WuSpec), 'spec');
  return problems.map(({message}) => new ToolError('SPEC_INVALID', message));
}

function laneRequired(lanes: readonly LaneView[]): ToolError {
  const known = lanes.map(({id}) => `\`${id}\``).join(', ');
  return new ToolError(
    'LANE_REQUIRED',
    `\`lane\` is missing, and no lane fits the code paths best: name one of ${known}`,
  );
}

/** Fields of a spec become flags: `code_paths` is `--code-paths`. */
function withFlags({code, message, details}: ToolError): ToolError {
  const flags = message.replaceAll(/(?:the field )?`([a-z_]+)(?=[`.])/gu, (written, field: string) =>
    specFields.includes(field) ? `\`--${field.replaceAll('_', '-')}` : written,
  );
  return new ToolError(code, flags, details);
}

function rejected(check: () => unknown): readonly ToolError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!isToolError(error)) throw error;
    return [error];
  }
}
