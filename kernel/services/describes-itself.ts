// Whether a pack is generated from what a server or service says of itself: it is not developed here, the lock pins it.
import type {PackPin} from '@lumenflow/schemas';

const kinds: ReadonlySet<PackPin['source']> = new Set(['mcp', 'openapi', 'grpc']);

export function describesItself({source}: Pick<PackPin, 'source'>): boolean {
  return kinds.has(source);
}
