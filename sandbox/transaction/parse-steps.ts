// Parses the steps of a journal. A step that names anything but a plain path in the workspace, or a number out of range,
// invalidates all of them.
import {isName} from '../files/invalid-file-name.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {Step, StepContent} from './step.ts';

const numbersMax = 10_000_000;
const modeMax = 0o7777;
const identityPattern = /^\d{1,20}:\d{1,20}$/;
const timePattern = /^-?\d{1,20}$/;
const hashPattern = /^[0-9a-f]{64}$/;
const stepKeys: ReadonlySet<string> = new Set(['number', 'path', 'had', 'gets', 'content', 'modes']);

export function parseSteps(value: unknown): Outcome<readonly Step[], string> {
  if (!Array.isArray(value)) return failed('does not contain a list of steps');
  const wrong = value.findIndex((step) => !isStep(step));
  if (wrong !== -1) return failed(`contains a malformed step (number ${wrong})`);
  const steps = value as readonly Step[];
  const numbers = new Set(steps.map(({number}) => number));
  return numbers.size === steps.length ? ok(steps) : failed('contains a duplicate step');
}

/** Relative, normalized, and not inside the state of a runtime. */
function isWorkspacePath(path: unknown): path is string {
  if (typeof path !== 'string') return false;
  const names = path.split('/');
  return names.every(isName) && !names.includes('.lumenflow');
}

function isStep(value: unknown): value is Step {
  if (!isRecord(value) || !Object.keys(value).every((key) => stepKeys.has(key))) return false;
  const {number, path, had, gets, content, modes} = value;
  return (
    isInteger(number, numbersMax) &&
    isWorkspacePath(path) &&
    isAbsentOr(had, isIdentity) &&
    isAbsentOr(gets, isIdentity) &&
    isAbsentOr(content, isContent) &&
    isAbsentOr(modes, isModes)
  );
}

function isContent(value: unknown): value is StepContent {
  if (!isRecord(value) || Object.keys(value).length !== 3) return false;
  const {bytes, mtime, sha256} = value;
  return isInteger(bytes, Number.MAX_SAFE_INTEGER) && matches(mtime, timePattern) && matches(sha256, hashPattern);
}

function isModes(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((mode) => isInteger(mode, modeMax));
}

function isIdentity(value: unknown): boolean {
  return matches(value, identityPattern);
}

function isAbsentOr(value: unknown, test: (value: unknown) => boolean): boolean {
  return value === undefined || test(value);
}

function isInteger(value: unknown, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
