// Whether what the HTTP API says is what it says that it says: each answer against the API's own description.
import {createSchemaCompiler} from '@lumenflow/kernel/node';

export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {readonly name: string; readonly in: string; readonly schema: object}[];
  readonly requestBody?: {readonly content: Content};
  readonly responses: Readonly<Record<string, {readonly content: Content}>>;
}

type Content = Readonly<Record<string, {readonly schema: {readonly properties?: Record<string, object>}}>>;

export interface Reported {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** Returns the mismatch; undefined if everything matches, or if the description does not have the path. */
export type AnswerCheck = (method: string, path: string, reported: Reported) => string | undefined;

export function createAnswerCheck({paths, components}: ApiDescription): AnswerCheck {
  const compiler = createSchemaCompiler();
  const validators = new Map<object, (value: unknown) => readonly object[]>();
  const patterns = Object.keys(paths)
    .toSorted((one, other) => one.split('{').length - other.split('{').length)
    .map((path) => ({path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)}));
  return (method, path, {status, contentType, body}) => {
    const {pathname} = new URL(path, 'http://localhost');
    const found = patterns.find(({pattern}) => pattern.test(pathname));
    const operation = found && paths[found.path]?.[method.toLowerCase()];
    if (!operation) return undefined;
    const content = operation.responses[status]?.content;
    if (!content) return `${operation.operationId} does not describe its status ${status}`;
    const [type = ''] = contentType.split(';');
    const schema = content[type]?.schema;
    if (!schema) return `${operation.operationId} does not describe ${type} with status ${status}`;
    if (type !== 'application/json') return undefined;
    const validate = validators.get(schema) ?? compiler.compileLater({components, ...schema});
    validators.set(schema, validate);
    const issues = validate(body);
    return issues.length === 0
      ? undefined
      : `${operation.operationId} ${status}: ${JSON.stringify(issues)} in ${JSON.stringify(body)}`;
  };
}
