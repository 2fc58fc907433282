// The path that programs outside the sandbox obey and that a workspace-relative path is, or lies in; for questions outside a call.
import {obeyedPaths, type ObeyedInput} from './obeyed-paths.ts';
import {createTrustedOver} from './trusted-over.ts';

export function trustedPath(
  path: string,
  place: Pick<ObeyedInput, 'workspaceRoot' | 'home' | 'named'>,
): string | undefined {
  const around = (): string | undefined =>
    obeyedPaths({...place, door: () => place.workspaceRoot, found: () => undefined}).around(path);
  return createTrustedOver()(path) ?? around();
}
