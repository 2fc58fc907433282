// One line that a program writes: a request, its value, or why it failed. A shell writes words in base64, other programs JSON.

export type ProgramLine =
  | {readonly kind: 'request'; readonly id: number | undefined; readonly operation: string; readonly args: unknown[]}
  | {readonly kind: 'value'; readonly json: string}
  | {readonly kind: 'failure'; readonly text: string; readonly stack: string};

/** Undefined for a line of another form: the code can write anything. */
export function programLine(line: string): ProgramLine | undefined {
  try {
    return line.startsWith('{') ? jsonLine(JSON.parse(line) as Readonly<Record<string, unknown>>) : shellLine(line);
  } catch {
    return undefined;
  }
}

function jsonLine({
  id,
  operation,
  args,
  value,
  failure,
  stack,
}: Readonly<Record<string, unknown>>): ProgramLine | undefined {
  if (typeof value === 'string') return {kind: 'value', json: value};
  if (typeof failure === 'string')
    return {kind: 'failure', text: failure, stack: typeof stack === 'string' ? stack : ''};
  if (typeof id !== 'number' || typeof operation !== 'string' || !Array.isArray(args)) return undefined;
  return {kind: 'request', id, operation, args};
}

function shellLine(line: string): ProgramLine {
  const [operation = '', ...words] = line.split(' ');
  const [first = '', second] = words.map((word) => Buffer.from(word, 'base64').toString());
  if (operation === 'result') return {kind: 'value', json: first};
  if (operation !== 'call') return {kind: 'request', id: undefined, operation, args: [first]};
  return {kind: 'request', id: undefined, operation, args: [[first], JSON.parse(second ?? '{}')]};
}

/** The answer, as the program that sent the request reads it. */
export function answerLine(
  id: number | undefined,
  answer: {readonly value: unknown} | {readonly problem: object},
): string {
  const isValue = 'value' in answer;
  if (id !== undefined) return `${JSON.stringify({id, ok: isValue, ...answer})}\n`;
  return `${isValue ? 'ok' : 'error'} ${JSON.stringify(isValue ? answer.value : answer.problem)}\n`;
}
