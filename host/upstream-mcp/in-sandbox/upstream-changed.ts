// What a call fails with if the server's definition is not the approved one.
import {ToolError} from '@lumenflow/pack-sdk';
import type {UpstreamServer} from '../upstream-server.ts';

/** `what`: `tool \`name\``. `changed`: the parts that differ; undefined if the server does not list it any more. */
export function upstreamChanged(
  {pack}: UpstreamServer,
  what: string,
  changed: readonly string[] | undefined,
): ToolError {
  const how = changed === undefined ? 'is not there any more' : `is not what was approved: other ${changed.join(', ')}`;
  return new ToolError('UPSTREAM_CHANGED', `the server's ${what} ${how}`, {
    changed: changed ?? ['name'],
    remedy: `look at it: \`lumenflow pack install ${pack} --update\`, then \`lumenflow pack approve ${pack}\``,
  });
}
