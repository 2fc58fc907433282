// A task's spec as the text that is stored and hashed.
import {KernelError} from '@lumenflow/kernel';
import type {TaskSpec} from '@lumenflow/schemas';
import {validateTask} from '@lumenflow/schemas/validators';
import {parse, stringify} from 'yaml';

export function specText(spec: TaskSpec): string {
  return stringify(spec, {lineWidth: 0});
}

/** `where` names the text for people. Throws KernelError LOG_CORRUPT if it is not a task. */
export function parseSpec(text: string, where: string): TaskSpec {
  let spec: unknown;
  try {
    spec = parse(text);
  } catch (cause) {
    throw new KernelError('LOG_CORRUPT', `\`${where}\` is not YAML: ${String(cause)}`, {cause});
  }
  if (!validateTask(spec))
    throw new KernelError('LOG_CORRUPT', `\`${where}\` is not a task spec: it was changed after it was created`);
  return spec as TaskSpec;
}
