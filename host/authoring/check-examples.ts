// Compares the examples of a pack's schemas with these schemas. The conformance suite calls tools with their input examples.
import type {LoadedPack, Problem} from '@lumenflow/kernel';

export function checkExamples({tools, where}: Pick<LoadedPack, 'tools' | 'where'>): readonly Problem[] {
  return tools.flatMap(({declaration, validateInput, validateOutput}, index) =>
    (['input', 'output'] as const).flatMap((side) => {
      const key = `${side}_schema` as const;
      const validate = side === 'input' ? validateInput : validateOutput;
      const {examples = []} = (declaration[key] ?? {}) as {readonly examples?: readonly unknown[]};
      return examples.flatMap((example, position): Problem[] => {
        const [issue] = validate(example);
        if (issue === undefined) return [];
        const pointer = `/tools/${index}/${key}/examples/${position}`;
        const place = issue.pointer === '' ? '' : ` at ${issue.pointer}`;
        const message = `the example does not match the ${key} of \`${declaration.name}\`${place}: ${issue.message}`;
        return [{code: 'PACK_EXAMPLE_INVALID', severity: 'error', message, where: where(pointer), pointer}];
      });
    }),
  );
}
