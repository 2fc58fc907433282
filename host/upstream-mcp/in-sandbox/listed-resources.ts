// A server's resources and templates as packs.lock records them, up to a limit.
import type {Resource, ResourceTemplateType} from '@modelcontextprotocol/client';
import {isTemplate, resourceDefinitionOf, type ResourceDefinition} from '../resource-definition.ts';
import {distinctBy, type Distinct} from './distinct-by.ts';

export type ResourceList = Distinct<ResourceDefinition>;

export function listedResources(
  resources: readonly Resource[],
  templates: readonly ResourceTemplateType[],
): ResourceList {
  const fixed = resources.map((resource) => resourceDefinitionOf(resource.uri, resource));
  const open = templates.map((template) => resourceDefinitionOf(template.uriTemplate, template));
  return distinctBy(
    // An address that looks like a template could not be distinguished from one.
    [
      ...fixed.map((found) => (found && isTemplate(found) ? undefined : found)),
      ...open.map((found) => (found && isTemplate(found) ? found : undefined)),
    ],
    ({uri}) => uri,
  );
}
