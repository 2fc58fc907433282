// Data with expressions in its texts: which expressions it has and where, and the data with their values.
import {templateParts, type ExpressionPart, type TemplateFault} from './template-parts.ts';

export interface TemplateExpression extends ExpressionPart {
  /** JSON pointer of its text in the data. */
  readonly pointer: string;
  /** Whether it is the whole text, so that its value keeps its type. */
  readonly isWhole: boolean;
}

export interface Template {
  readonly expressions: readonly TemplateExpression[];
  readonly faults: readonly (TemplateFault & {readonly pointer: string})[];
  /** Returns the data with the values of the expressions, in their order. */
  fill(values: readonly unknown[]): unknown;
}

export function compileTemplate(data: unknown): Template {
  const expressions: TemplateExpression[] = [];
  const faults: (TemplateFault & {readonly pointer: string})[] = [];

  function compile(value: unknown, pointer: string): (values: readonly unknown[]) => unknown {
    if (typeof value === 'string') return compileText(value, pointer);
    if (typeof value !== 'object' || value === null) return () => value;
    if (Array.isArray(value)) {
      const items = value.map((item, index) => compile(item, `${pointer}/${index}`));
      return (values) => items.map((item) => item(values));
    }
    const entries = Object.entries(value).map(
      ([key, item]) => [key, compile(item, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)] as const,
    );
    return (values) => Object.fromEntries(entries.map(([key, item]) => [key, item(values)]));
  }

  function compileText(text: string, pointer: string): (values: readonly unknown[]) => unknown {
    const found = templateParts(text);
    if (!found.ok) {
      faults.push({...found.problem, pointer});
      return () => text;
    }
    const isWhole = found.value.length === 1;
    const parts = found.value.map((part) => {
      if (typeof part === 'string') return () => part;
      const index = expressions.push({...part, pointer, isWhole}) - 1;
      return (values: readonly unknown[]) => values[index];
    });
    const [first] = parts;
    return isWhole && first ? first : (values) => parts.map((part) => textOf(part(values))).join('');
  }

  return {expressions, faults, fill: compile(data, '')};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
