// A change of the pack's config for a person to apply, because no tool can write workspace.yaml.
import {Document, parseDocument} from 'yaml';
import {checkConfig} from './check-config.ts';

export const configKey = 'software_delivery';

export interface ConfigChange {
  readonly keys: readonly string[];
  /** Undefined removes the value. */
  readonly value: unknown;
}

/** The pack's whole key of workspace.yaml after the change, with its comments. Throws ToolError CONFIG_INVALID. */
export function proposeChange(workspaceYaml: string, {keys, value}: ConfigChange): string {
  const document = parseDocument(workspaceYaml);
  const path = [configKey, ...keys];
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, document.createNode(value));
  const {[configKey]: config = {}} = document.toJS() as Readonly<Record<string, unknown>>;
  checkConfig(config);
  const only = new Document({});
  only.set(configKey, document.get(configKey, true) ?? {});
  return only.toString({lineWidth: 110, flowCollectionPadding: false});
}
