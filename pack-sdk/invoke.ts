// The one way a handler is run, in a pool thread and in a sandbox alike: import, check the input,
// run, shape the outcome. It is all that a sandbox loads before the pack, so it stays small.
import {pathToFileURL} from 'node:url';
import type {Invocation, ToolOutput} from '@lumenflow/schemas';
import {checkValue} from './check-value.ts';
import {createContext} from './create-context.ts';
import {loadHandler, type ImportModule} from './load-handler.ts';
import {createRequestClient} from './request-client.ts';
import {shapeOutput, shapeThrown} from './shape-output.ts';
import type {ToolContext} from './tool-context.ts';
import type {Channel} from './wire.ts';

export type {WaitingPlace} from './define-tool.ts';
export {loadHandler, type ImportModule} from './load-handler.ts';
export {ToolError, isToolError} from './tool-error.ts';
export type {ExecOptions, ExecResult, ToolContext} from './tool-context.ts';

/** Where a handler runs, and what that place lends it. */
export interface HandlerHome {
  /** This call's own conversation with the host. */
  readonly channel: Channel;
  readonly exec: ToolContext['exec'];
  /** Default: `importFile`. */
  readonly importModule?: ImportModule;
  /** Called when the handler's module was imported. */
  onLoaded?(): void;
}

/** Never rejects: every result of the handler is in the output, which is plain JSON. */
export async function invoke(invocation: Invocation, home: HandlerHome): Promise<ToolOutput> {
  const client = createRequestClient(home.channel);
  try {
    const handler = await loadHandler(invocation.handler_entry, home.importModule ?? importFile);
    home.onLoaded?.();
    const input =
      handler.input === undefined
        ? invocation.input
        : await checkValue(handler.input, invocation.input, 'INVALID_INPUT');
    const config =
      handler.config === undefined
        ? invocation.config
        : await checkValue(handler.config, invocation.config, 'INVALID_CONFIG');
    const returned = await handler.run(input, createContext({invocation, config, client, exec: home.exec}));
    return await shapeOutput(returned, handler.output);
  } catch (error) {
    return shapeThrown(error);
  } finally {
    client.close();
  }
}

/** Node imports a file once and keeps it. */
export async function importFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
}
