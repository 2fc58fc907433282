// Writes the rule of a template into workspace.yaml, and keeps its comments and its other text.
import {isAlias, isMap, isSeq, parseDocument, type Document} from 'yaml';
import type {RuleTemplate} from './rule-templates.ts';

const byteOrderMark = '\u{FEFF}';

/** The text must be a valid workspace.yaml. Undefined if the workspace layer has a rule with this id already. */
export function withTemplate(text: string, {rule, purpose}: RuleTemplate): string | undefined {
  const document = parseDocument(text);
  const {policies} = document.toJS() as {policies?: {rules?: readonly {readonly id?: unknown}[] | null} | null};
  if (policies?.rules?.some(({id}) => id === rule.id) === true) return undefined;
  expandAlias(document, ['policies']);
  expandAlias(document, ['policies', 'rules']);
  const node = document.createNode(rule);
  node.commentBefore = ` ${purpose}`;
  const examples = node.get('examples', true);
  // One example a line.
  if (isSeq(examples)) for (const example of examples.items) if (isMap(example)) example.flow = true;
  const listed = document.getIn(['policies', 'rules'], true);
  const layer = document.get('policies', true);
  // A rule with a comment cannot be written within braces or brackets.
  if (isMap(layer)) layer.flow = false;
  if (isSeq(listed)) {
    listed.flow = false;
    listed.add(node);
  } else if (isMap(layer)) {
    document.setIn(['policies', 'rules'], document.createNode([node]));
  } else document.set('policies', document.createNode({rules: [node]}));
  const written = document.toString({lineWidth: 0, flowCollectionPadding: /[{[] +[^\s}\]]/u.test(text)});
  const ended = text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written;
  // The parser drops a byte order mark.
  return text.startsWith(byteOrderMark) ? byteOrderMark + ended : ended;
}

/** The rule must be added to what an alias refers to, here only. */
function expandAlias(document: Document, path: readonly string[]): void {
  const node = document.getIn(path, true);
  if (isAlias(node)) document.setIn(path, document.createNode(node.resolve(document)?.toJS(document)));
}
