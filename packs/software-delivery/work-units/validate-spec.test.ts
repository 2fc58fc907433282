import {beforeEach, expect, test} from 'vitest';
import {createTestWorkspace, type TestWorkspace} from '../test-workspace.fixture.ts';
import type {LaneView} from './kernel-tasks.ts';
import {createSpecReader} from './spec-reader.ts';
import {specHash} from './spec-hash.ts';
import {validateSpec} from './validate-spec.ts';
import {given, specOf, stamp} from './work-unit-events.fixture.ts';
import {writeSpec} from './write-spec.ts';
import type {WuSpec} from './wu-spec.ts';

const reader = createSpecReader();
const lanes: readonly LaneView[] = [
  {id: 'core', allowed_scopes: [{type: 'path', pattern: 'worktrees/*/src/**', access: 'write'}], in_progress: []},
];
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace();
});

/** Findings for WU-1 with this file, recorded with the same content or not at all. */
async function findings(text: string | undefined, recorded?: WuSpec): Promise<readonly string[]> {
  if (text !== undefined) await workspace.put('docs/tasks/WU-1.yaml', text);
  const state =
    recorded === undefined
      ? given()
      : given({type: 'wu_created', ...stamp, id: 'WU-1', spec: recorded, spec_hash: specHash(writeSpec(recorded))});
  const found = await validateSpec(workspace.context(undefined), {id: 'WU-1', state, lanes, reader});
  return found.map(({severity, code, where}) => `${severity} ${code} ${where}`);
}

const path = 'docs/tasks/WU-1.yaml';
const sound = specOf(1);

test('a valid, recorded spec has no findings', async () => {
  expect(await findings(writeSpec(sound), sound)).toEqual([]);
});

test.each<readonly [Partial<WuSpec>, readonly string[]]>([
  [{lane: 'nowhere'}, [`error LANE_UNKNOWN ${path}`]],
  [{depends_on: ['WU-8']}, [`error DEPENDENCY_UNKNOWN ${path}`]],
  [{depends_on: ['WU-1']}, [`error DEPENDENCY_CYCLE ${path}`]],
  [{code_paths: ['../x', 'src/**']}, [`error INVALID_CODE_PATH ${path}`]],
  [{code_paths: ['src/{a']}, [`error INVALID_GLOB ${path}`]],
  [{code_paths: ['web/**']}, [`warn CODE_PATH_OUTSIDE_LANE ${path}`]],
  [{code_paths: []}, [`warn NO_CODE_PATHS ${path}`]],
  [{code_paths: [], type: 'process'}, []],
])('%j is found', async (words, expected) => {
  const spec = specOf(1, words);
  expect(await findings(writeSpec(spec), spec)).toEqual(expected);
});

test.each([
  ['no file', undefined, ['error SPEC_MISSING WU-1']],
  ['a file that is not recorded', writeSpec(sound), [`error NOT_RECORDED ${path}`]],
  ['a field that is none', `${writeSpec(sound)}colour: red\n`, [`error SPEC_INVALID ${path}:11:1`]],
  ['another id', writeSpec({...sound, id: 'WU-2'}), [`error SPEC_INVALID ${path}`]],
])('%s is found', async (_, text, expected) => {
  expect(await findings(text)).toEqual(expected);
});

test('a file that was edited after its record is found', async () => {
  expect(await findings(`${writeSpec(sound)}# later\n`, sound)).toEqual([`warn SPEC_CHANGED ${path}`]);
});
