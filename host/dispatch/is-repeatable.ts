import type {ToolDeclaration} from '@lumenflow/schemas';

/** Whether another call has no further effect: the tool reads, or is idempotent. */
export function isRepeatable(tool: Pick<ToolDeclaration, 'permission' | 'idempotent'> | undefined): boolean {
  return tool?.permission === 'read' || tool?.idempotent === true;
}
