// A program as it was written, with the position of each part: YAML or JSON in a file, or an object of the embedding program.
import {failed, ok, type Outcome, type Problem} from '@lumenflow/kernel';
import {parseYamlDocument} from '@lumenflow/kernel/node';
import type {Program} from '@lumenflow/schemas';
import {validateProgram, type SchemaValidator} from '@lumenflow/schemas/validators';

export interface ProgramText {
  /** For messages. */
  readonly file: string;
  readonly text: string;
}

export interface ProgramDocument extends ProgramText {
  readonly program: Program;
  /** `file:line:column` of a JSON pointer into the program, and there of a part of its text. */
  locate(pointer: string, part?: {readonly text: string; readonly offset: number}): string;
}

/** Fails with all problems of syntax and shape. */
export function readProgram(
  {file, text}: ProgramText,
  validate: SchemaValidator = validateProgram,
): Outcome<ProgramDocument, readonly Problem[]> {
  const {value, problems, locate} = parseYamlDocument({file, text, validate, code: 'PROGRAM_INVALID'});
  if (problems.length > 0) return failed(problems);
  return ok({
    file,
    text,
    program: value as Program,
    locate: (pointer, part) => (part ? locatePart(locate(pointer), {file, text}, part) : locate(pointer)),
  });
}

/** Fails for an object that is not JSON, such as one that contains itself. */
export function programText(program: unknown): Outcome<ProgramText, readonly Problem[]> {
  try {
    return ok({file: 'program', text: JSON.stringify(program, undefined, 2) ?? ''});
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    const message = `the program is not JSON: ${reason}`;
    return failed([{code: 'PROGRAM_INVALID', severity: 'error', message, where: 'program'}]);
  }
}

/** YAML quotes, folds and indents texts, so the part is looked for after the beginning of its text. */
function locatePart(
  where: string,
  {file, text}: ProgramText,
  part: {readonly text: string; readonly offset: number},
): string {
  const [, line = '1', column = '1'] = /:(\d+):(\d+)$/u.exec(where) ?? [];
  const lines = text.split('\n');
  const begin = lines.slice(0, Number(line) - 1).reduce((sum, {length}) => sum + length + 1, Number(column) - 1);
  const [firstLine = ''] = part.text.split('\n', 1);
  const found = text.indexOf(firstLine, begin);
  if (firstLine === '' || found === -1) return where;
  const before = text.slice(0, found + Math.min(part.offset, firstLine.length)).split('\n');
  return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}
