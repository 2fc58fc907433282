// The parts of a server's resource that clients see, of a template of resources, too.
import {cutText} from '@lumenflow/kernel';
import {plainText} from './plain-text.ts';

export interface ResourceDefinition {
  /** With `{variables}` if it is a template. */
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mime_type?: string;
}

/** Visible ASCII, as URIs are: a lookalike or an escape sequence cannot be one. */
const address = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]*$/iu;
const addressMax = 1_000;
const nameMax = 200;
const mimeType = /^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/u;

interface ServerResource {
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Undefined for one whose address is not a URI. */
export function resourceDefinitionOf(uri: string, resource: ServerResource): ResourceDefinition | undefined {
  if (uri.length > addressMax || !address.test(uri)) return undefined;
  const {name, description = '', mimeType: mime_type} = resource;
  return {
    uri,
    name: cutText(plainText(name), nameMax) || uri.slice(0, nameMax),
    description: plainText(description),
    ...(mime_type !== undefined && mime_type.length <= nameMax && mimeType.test(mime_type) && {mime_type}),
  };
}

export function isTemplate({uri}: Pick<ResourceDefinition, 'uri'>): boolean {
  return uri.includes('{');
}
