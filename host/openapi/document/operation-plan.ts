// How to make the request of an operation: what is recorded in the generated pack, and read when the operation is called.

export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'json';

export interface PlannedParameter {
  /** As the service knows it. */
  readonly name: string;
  /** The property of the tool's input. */
  readonly property: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly style: ParameterStyle;
  readonly explode: boolean;
}

export interface PlannedBody {
  readonly media_type: string;
  /** Properties of a form that are files, encoded as base64 in the input. */
  readonly files: readonly string[];
}

/** The values are names of variables. */
export type PlannedCredential =
  | {readonly kind: 'key'; readonly in: 'query' | 'header' | 'cookie'; readonly name: string; readonly token: string}
  | {readonly kind: 'bearer'; readonly token: string}
  | {readonly kind: 'basic'; readonly username: string; readonly password: string}
  | {
      readonly kind: 'oauth2';
      readonly token_url: string;
      readonly scopes: readonly string[];
      readonly client_id: string;
      readonly client_secret: string;
    };

export interface OperationPlan {
  readonly method: string;
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** Of the operation alone, instead of the pin's. */
  readonly servers?: readonly string[];
  readonly parameters: readonly PlannedParameter[];
  readonly body?: PlannedBody;
  readonly credentials: readonly PlannedCredential[];
}
