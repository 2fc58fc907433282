// Writes a spec as the text of its file.
import {isDeepStrictEqual} from 'node:util';
import {Document, parse, parseDocument, visit} from 'yaml';
import type {WuSpec} from './wu-spec.ts';

/** Fields in reading order. */
const order: readonly (keyof WuSpec)[] = [
  'id',
  'title',
  'lane',
  'type',
  'priority',
  'initiative',
  'phase',
  'exposure',
  'risk',
  'description',
  'acceptance',
  'code_paths',
  'tests',
  'depends_on',
  'blocks',
  'fixes',
  'spec_refs',
  'labels',
];

/** The fields of a spec. */
export const specFields: readonly string[] = order;

const lineWidth = 100;

export function writeSpec(spec: WuSpec): string {
  const entries = order.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]] as const]));
  return render(new Document(Object.fromEntries(entries), {aliasDuplicateObjects: false}));
}

export type SpecChanges = {readonly [Field in keyof WuSpec]?: WuSpec[Field] | null};

/** The file's text with the changes. Comments and order are preserved; null removes a field. */
export function editSpec(text: string, changes: SpecChanges): string {
  const document = parseDocument(text);
  for (const [field, value] of Object.entries(changes)) {
    if (value === null) document.delete(field);
    else if (value !== undefined) document.set(field, document.createNode(value, {aliasDuplicateObjects: false}));
  }
  return render(document);
}

/** Folds long strings for people. If the folded text would be read differently, quotes every string on one line. */
function render(document: Document): string {
  const folded = document.toString({lineWidth});
  if (isReadAs(folded, document.toJS())) return folded;
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string') node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity});
}

function isReadAs(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(parse(text), value);
  } catch {
    return false;
  }
}
