// Collects the problems of a program, each with its position.
import type {LoadedTool, Problem} from '@lumenflow/kernel';
import {compileTemplate, type Template} from '../document/compile-template.ts';
import type {ProgramDocument} from '../document/read-program.ts';
import {checkExpression, type CheckedExpression} from './check-expression.ts';
import type {NameSchemas} from './member-schemas.ts';

export interface CheckedTemplate extends Template {
  /** In the order of its expressions. */
  readonly checked: readonly CheckedExpression[];
}

export type Report = (
  pointer: string,
  message: string,
  more?: Pick<Problem, 'help'> & {
    readonly severity?: Problem['severity'];
    readonly part?: {readonly text: string; readonly offset: number};
  },
) => void;

export interface CheckRules {
  readonly tools: ReadonlyMap<string, Pick<LoadedTool, 'declaration' | 'validateInput' | 'runs_caller_code'>>;
  /** The program is a tool of a pack. */
  readonly isTool?: boolean;
  /** The workspace is not known, so there may be other tools. */
  readonly isWithoutWorkspace?: boolean;
}

export class CheckContext {
  readonly rules: CheckRules;
  readonly problems: Problem[] = [];
  readonly #document: Pick<ProgramDocument, 'locate'>;

  constructor(rules: CheckRules, document: Pick<ProgramDocument, 'locate'>) {
    this.rules = rules;
    this.#document = document;
  }

  readonly report: Report = (pointer, message, {severity = 'error', part, help} = {}) => {
    const where = this.#document.locate(pointer, part);
    this.problems.push({code: 'PROGRAM_INVALID', severity, message, where, pointer, ...(help !== undefined && {help})});
  };

  expression(source: string, pointer: string, names: NameSchemas): CheckedExpression {
    const checked = checkExpression(source, names);
    for (const {message, offset} of checked.faults) this.report(pointer, message, {part: {text: source, offset}});
    return checked;
  }

  /** The expressions in data. */
  template(data: unknown, pointer: string, names: NameSchemas): CheckedTemplate {
    const template = compileTemplate(data);
    for (const fault of template.faults) this.report(pointer + fault.pointer, fault.message);
    const checked = template.expressions.map(({expression, pointer: inside}) =>
      this.expression(expression, pointer + inside, names),
    );
    return {...template, checked};
  }
}
