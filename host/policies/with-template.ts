// Writes the rule of a template into workspace.yaml.
import {isAlias, isMap, isSeq, parse, type Document} from 'yaml';
import {editYaml} from '../text/edit-yaml.ts';
import type {RuleTemplate} from './rule-templates.ts';

/** The text must be a valid workspace.yaml. Undefined if the workspace layer has a rule with this id already. */
export function withTemplate(text: string, {rule, purpose}: RuleTemplate): string | undefined {
  const {policies} = parse(text) as {policies?: {rules?: readonly {readonly id?: unknown}[] | null} | null};
  if (policies?.rules?.some(({id}) => id === rule.id) === true) return undefined;
  return editYaml(text, (document) => addRule(document, rule, purpose));
}

function addRule(document: Document, rule: RuleTemplate['rule'], purpose: string): void {
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
}

/** The rule must be added to what an alias refers to, here only. */
function expandAlias(document: Document, path: readonly string[]): void {
  const node = document.getIn(path, true);
  if (isAlias(node)) document.setIn(path, document.createNode(node.resolve(document)?.toJS(document)));
}
