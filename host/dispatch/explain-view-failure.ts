// Explains why a program failed in a transactional call although it would succeed in a direct one.
import type {ToolOutput} from '@lumenflow/schemas';

const causes: readonly (readonly [sign: RegExp, why: string])[] = [
  [
    /EXDEV|cross-device link/iu,
    'transactional calls cannot move files to another file system. Unless the host runs as root, they also cannot rename a directory that existed before the call. Use `mv`, which copies, or declare `writes: direct` for the tool',
  ],
  [
    /EOVERFLOW|value too large for defined data type/iu,
    'transactional calls cannot write a path of which a part belongs to another group or user. Change its group to the primary group of the user that runs the host, start the host with its group as primary group (`newgrp`), or declare `writes: direct` for the tool',
  ],
  [
    /EROFS|read-only file system/iu,
    'the call cannot write there: no write scope of the call covers the path, the path is protected, or it is on a mount inside the workspace',
  ],
];

/** `logged`: the output that the call printed to its streams. */
export function explainViewFailure(output: ToolOutput, logged: string): ToolOutput {
  const {success, error} = output;
  if (success || error === undefined) return output;
  const text = `${error.message}\n${JSON.stringify(error.details ?? {})}\n${logged}`;
  const why = causes.find(([sign]) => sign.test(text))?.[1];
  return why === undefined ? output : {...output, error: {...error, message: `${error.message.trimEnd()} (${why})`}};
}
