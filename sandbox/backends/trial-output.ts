// What the program of a trial printed. It is ended after its time.
import {captureOutput} from '../commands/capture-output.ts';
import type {StartedRunner} from './sandbox-backend.ts';

export interface TrialOutput {
  readonly exitCode: number;
  readonly printed: string;
  /** Why it failed, in one line; empty if nothing is known. */
  readonly said: string;
}

const outputBytes = 64 * 1024;
/** A trial takes a second, and much longer on a machine with other work. */
const usualMs = 60_000;

export async function trialOutput(
  {stdout, stderr, ended, kill}: Pick<StartedRunner, 'stdout' | 'stderr' | 'ended' | 'kill'>,
  withinMs: number = usualMs,
): Promise<TrialOutput> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, withinMs);
  const [printed, complaints] = [stdout, stderr].map((stream) =>
    stream === undefined ? () => ({text: ''}) : captureOutput(stream, outputBytes),
  ) as [() => {text: string}, () => {text: string}];
  const {exitCode, startError} = await ended;
  clearTimeout(timer);
  const why = isLate ? `it did not finish within ${withinMs / 1000} s` : (startError ?? complaints().text);
  return {exitCode, printed: printed().text, said: why.trim().split('\n')[0] ?? ''};
}
