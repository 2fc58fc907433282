// Prints the session: for a terminal of 80 columns, or as one JSON document at the end.
import {styleText} from 'node:util';

export interface Step {
  readonly title: string;
  /** The tool called, or another action. */
  readonly action: string;
  readonly outcome: 'allowed' | 'denied' | 'paused' | 'passed' | 'failed' | 'refused' | 'verified' | 'tampered';
  /** Where the handler ran. */
  readonly ran: string;
  readonly ms: number;
  readonly receipt_id?: string;
  /** What happened. */
  readonly lines: readonly string[];
  /** Whether the step went as expected; one that did not fails the whole session. */
  readonly as_expected: boolean;
}

export interface Narrator {
  opening(lines: readonly string[]): void;
  /** Starts the next act. */
  act(title: string): void;
  step(step: Step): void;
  closing(lines: readonly string[], document: Readonly<Record<string, unknown>>): void;
}

type Style = Parameters<typeof styleText>[0];

const marks: Readonly<Record<Step['outcome'], {readonly mark: string; readonly style: Style}>> = {
  allowed: {mark: '✓', style: 'green'},
  passed: {mark: '✓', style: 'green'},
  verified: {mark: '✓', style: 'green'},
  paused: {mark: '‖', style: 'yellow'},
  denied: {mark: '✗', style: 'red'},
  failed: {mark: '✗', style: 'red'},
  refused: {mark: '✗', style: 'red'},
  tampered: {mark: '!', style: 'red'},
};

/** Wraps a line between words to stay within 80 columns. */
function wrap(text: string): readonly string[] {
  return text.match(/.{1,72}(?:\s|$)|\S+/g)?.map((line) => line.trimEnd()) ?? [''];
}

export function createTerminalNarrator(output: NodeJS.WriteStream): Narrator {
  const coloured = output.isTTY && process.env['NO_COLOR'] === undefined;
  const paint = (style: Style, text: string): string => (coloured ? styleText(style, text) : text);
  const say = (text: string): void => void output.write(`${text}\n`);
  const acts: {readonly title: string; readonly steps: Step[]}[] = [];
  return {
    opening(lines) {
      say(`\n${paint('bold', 'A text can persuade an agent of anything. LumenFlow decides what it can do.')}\n`);
      for (const line of lines) say(`  ${line}`);
    },
    act(title) {
      acts.push({title, steps: []});
      say(`\n${paint('bold', `${String(acts.length).padStart(2)}  ${title}`)}`);
    },
    step(step) {
      acts.at(-1)?.steps.push(step);
      const {mark, style} = marks[step.outcome];
      const head = `${mark} ${step.outcome.padEnd(8)} ${step.action.padEnd(24)}`;
      say(`    ${paint(style, head)} ${step.ran.padEnd(8)} ${`${step.ms.toFixed(1)} ms`.padStart(10)}`);
      for (const line of step.lines.flatMap(wrap)) say(paint('dim', `      ${line}`));
      if (!step.as_expected) say(paint('red', '      unexpected outcome'));
    },
    closing(lines) {
      say(`\n${paint('bold', 'Summary')}`);
      for (const [index, {title, steps}] of acts.entries()) {
        const outcomes = steps.map(({outcome}) => paint(marks[outcome].style, marks[outcome].mark)).join('');
        say(`    ${String(index + 1).padStart(2)}  ${title.padEnd(56)} ${outcomes}`);
      }
      say(paint('dim', '        ✓ done   ✗ stopped   ‖ waits for a person   ! tampering found'));
      say('');
      for (const line of lines) say(line === '' ? '' : `  ${line}`);
      say('');
    },
  };
}

export function createJsonNarrator(output: NodeJS.WriteStream): Narrator {
  const steps: (Step & {readonly act: string})[] = [];
  let act = '';
  return {
    opening: () => undefined,
    act(title) {
      act = title;
    },
    step: (step) => void steps.push({act, ...step}),
    closing: (_, document) => void output.write(`${JSON.stringify({...document, steps}, undefined, 2)}\n`),
  };
}
