// Why a machine did not run its program: it took too long, or it ended. What its hypervisor or its kernel printed is quoted.
import type {ProcessEnd} from '../commands/spawn-process.ts';
import type {StartStage} from '../guest/guest.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';

export interface FailedStart {
  readonly stage: StartStage;
  /** Undefined: it was ended because it took longer than `lateMs`. */
  readonly end: Pick<ProcessEnd, 'exitCode' | 'signal' | 'startError'> | undefined;
  readonly lateMs: number;
  /** Its last words. */
  readonly said: string;
}

const stages: Readonly<Record<StartStage, string>> = {
  booting: 'its agent did not report',
  receiving: 'its agent did not start the program',
  starting: 'its program did not report',
};

/** The reason why a guest's kernel stopped, which facts about it follow; otherwise its last line. */
export function lastOfConsole(console: string): string {
  const lines = console.trim().split('\n');
  return lines.findLast((line) => line.includes('Kernel panic')) ?? lines.at(-1) ?? '';
}

/** Nothing of the call has run: the program gets the call once it has reported. */
export function explainStart({stage, end, lateMs, said}: FailedStart): SandboxProblem {
  const first = said.trim().split('\n')[0] ?? '';
  const where = `${stages[stage]}${first === '' ? '' : ` (\`${first}\`)`}`;
  if (end === undefined) {
    return {
      message: `the virtual machine did not start within ${lateMs / 1000} s: ${where}`,
      help: 'retry the call when this machine is less busy, or choose another backend in `security.sandbox.backend`',
    };
  }
  return {
    message: `the virtual machine ended with ${end.startError ?? end.signal ?? `exit code ${end.exitCode}`}: ${where}`,
    help: 'run `lumenflow sandbox doctor` to see what is missing, or choose another backend in `security.sandbox.backend`',
    retryable: 'once',
  };
}
