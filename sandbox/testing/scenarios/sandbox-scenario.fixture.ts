// A grant over a small tree, and what a call under it may then do: the same on every platform, but for what is said.
import type {GrantedScopes} from '@lumenflow/schemas';

export type Verdict = 'allow' | 'deny';

export interface Difference {
  readonly linux: Verdict;
  readonly macos: Verdict;
  readonly why: string;
}

export interface SandboxScenario {
  /** Also the name of its golden file. */
  readonly name: string;
  /** Of the workspace: files, `directories/`, `link -> target`; below the home directory with `~/`. */
  readonly tree: readonly string[];
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly denyOverlays?: readonly string[];
  readonly network?: GrantedScopes['network']['posture'];
  /** What of the workspace the runner needs. */
  readonly runtimePaths?: readonly string[];
  readonly homeIsWorkspace?: true;
  /** `verb path`: of the workspace, absolute, or below `~/` or `$TMPDIR/`. */
  readonly operations: Readonly<Record<string, Verdict | Difference>>;
}

export interface Operation {
  readonly verb: string;
  readonly path: string;
}

export function operationOf(text: string): Operation {
  const space = text.indexOf(' ');
  return {verb: text.slice(0, space), path: text.slice(space + 1)};
}

export function expectedOn(platform: 'linux' | 'macos', expected: Verdict | Difference): Verdict {
  return typeof expected === 'string' ? expected : expected[platform];
}
