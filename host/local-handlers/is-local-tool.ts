import type {RegisteredTool} from '@lumenflow/kernel';
import {localModules} from './create-local-pack.ts';

export function isLocalTool({module_path}: RegisteredTool): boolean {
  return module_path.startsWith(localModules);
}
