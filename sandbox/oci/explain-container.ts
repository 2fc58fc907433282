// Turns an error message of a runtime into an explanation.
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {OciRuntime} from './oci-runtime.ts';

/** `output`: stderr of the runtime. */
export function explainContainer({program}: Pick<OciRuntime, 'program'>, output: string): SandboxProblem {
  const first = output.trim().split('\n')[0] ?? '';
  // runc writes log lines.
  const said = /msg="((?:[^"\\]|\\.)*)"/.exec(first)?.[1]?.replaceAll('\\"', '"') ?? first;
  return {
    message: `${program} could not start the container${said === '' ? '' : ` (\`${said}\`)`}`,
    retryable: 'once',
    help: 'run `lumenflow sandbox doctor` to see what is missing, or choose another backend in `security.sandbox.backend`',
  };
}
