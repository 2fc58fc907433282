// Writes parameters of requests in OpenAPI's styles: RFC 6570 for simple, label, matrix and form, and OpenAPI's own three.
import type {ParameterStyle, PlannedParameter} from '../document/operation-plan.ts';
import {plainText} from './plain-text.ts';

type Parameter = Pick<PlannedParameter, 'name' | 'style' | 'explode'>;

/** The text of a path segment. Every character that separates parts of an address is encoded. */
export function pathText({name, style, explode}: Parameter, value: unknown): string {
  const key = encodeURIComponent(name);
  if (style === 'label') return `.${joined(value, {explode, separator: explode ? '.' : ','})}`;
  if (style !== 'matrix') return joined(value, {explode, separator: ','});
  if (explode && Array.isArray(value)) return value.map((item) => `;${key}=${encoded(item)}`).join('');
  if (explode && isRecord(value))
    return Object.entries(value)
      .map(([inner, item]) => `;${encoded(inner)}=${encoded(item)}`)
      .join('');
  return `;${key}=${joined(value, {explode: false, separator: ','})}`;
}

const separators: Partial<Record<ParameterStyle, string>> = {spaceDelimited: '%20', pipeDelimited: '%7C'};

/** The `name=value` pairs of a query; none for an empty list or object. */
export function queryPairs({name, style, explode}: Parameter, value: unknown): readonly string[] {
  const key = encodeURIComponent(name);
  if (style === 'json') return [`${key}=${encoded(JSON.stringify(value))}`];
  const isList = Array.isArray(value);
  if (!isList && !isRecord(value)) return [`${key}=${encoded(value)}`];
  const entries = isList ? value.map((item) => [key, item] as const) : Object.entries(value);
  if (entries.length === 0) return [];
  if (style === 'deepObject')
    return entries.map(([inner, item]) => `${key}[${isList ? '' : encoded(inner)}]=${encoded(item)}`);
  if (explode) return entries.map(([inner, item]) => `${isList ? inner : encoded(inner)}=${encoded(item)}`);
  const separator = separators[style] ?? ',';
  return [`${key}=${joined(value, {explode: false, separator})}`];
}

/** The text of a header: not encoded. */
export function headerText({style, explode}: Parameter, value: unknown): string {
  if (style === 'json') return JSON.stringify(value);
  return joined(value, {explode, separator: ',', encode: plainText});
}

interface Joining {
  readonly explode: boolean;
  readonly separator: string;
  readonly encode?: (value: unknown) => string;
}

function joined(value: unknown, {explode, separator, encode = encoded}: Joining): string {
  if (Array.isArray(value)) return value.map((item) => encode(item)).join(separator);
  if (!isRecord(value)) return encode(value);
  const between = explode ? '=' : separator;
  return Object.entries(value)
    .map(([key, item]) => `${encode(key)}${between}${encode(item)}`)
    .join(separator);
}

function encoded(value: unknown): string {
  return encodeURIComponent(plainText(value)).replaceAll(
    /[!'()*]/gu,
    (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
