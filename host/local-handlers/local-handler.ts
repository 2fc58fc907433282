// Functions of the embedding program as tools.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {ToolDeclaration} from '@lumenflow/schemas';

type Declared = Pick<
  ToolDeclaration,
  | 'description'
  | 'permission'
  | 'required_scopes'
  | 'required_env'
  | 'input_schema'
  | 'output_schema'
  | 'internal_only'
  | 'audience'
  | 'preview'
  | 'idempotent'
  | 'timeout_ms'
>;

export interface LocalHandler extends Partial<Declared> {
  /**
   * Runs in the process of the host, with all its rights: scopes limit `context.fs` and nested calls, and are what policy and people
   * see. A plain value becomes the data of the output, a thrown `ToolError` its error.
   */
  // The input was validated against `input_schema`, whose type TypeScript does not know.
  // oxlint-disable-next-line typescript/no-explicit-any
  run(input: any, context: ToolContext): unknown;
}

/**
 * By the name of the tool, for example `orders:find`. Without `description`, the name describes it; without `permission`, it is
 * `write`; without `required_scopes`, it may touch nothing.
 */
export type LocalHandlers = Readonly<Record<string, LocalHandler>>;
