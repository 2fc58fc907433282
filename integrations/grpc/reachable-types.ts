// The types that messages consist of, and no others, as JSON of protobufjs.
import {protobuf} from './protobuf.ts';

export function reachableTypes(types: readonly protobuf.Type[]): protobuf.INamespace {
  const outermost = new Set<protobuf.Type | protobuf.Enum>();
  const seen = new Set<protobuf.Type>();
  const visit = (type: protobuf.Type): void => {
    if (seen.has(type)) return;
    seen.add(type);
    // Its JSON contains the types that are declared within it, which can refer to others.
    const outer = outermostOf(type);
    outermost.add(outer);
    if (outer instanceof protobuf.Type) visit(outer);
    for (const inner of type.nestedArray) if (inner instanceof protobuf.Type) visit(inner);
    for (const {resolvedType} of type.fieldsArray) {
      if (resolvedType instanceof protobuf.Type) visit(resolvedType);
      else if (resolvedType instanceof protobuf.Enum) outermost.add(outermostOf(resolvedType));
    }
  };
  for (const type of types) visit(type);
  const root: {nested: Record<string, protobuf.AnyNestedObject>} = {nested: {}};
  for (const type of outermost) {
    const path = type.fullName.slice(1).split('.');
    let at = root as {nested?: Record<string, protobuf.AnyNestedObject>};
    for (const part of path.slice(0, -1)) {
      at.nested ??= {};
      at.nested[part] ??= {nested: {}};
      at = at.nested[part] as typeof at;
    }
    at.nested ??= {};
    at.nested[type.name] = type.toJSON();
  }
  return root;
}

function outermostOf(type: protobuf.Type | protobuf.Enum): protobuf.Type | protobuf.Enum {
  return type.parent instanceof protobuf.Type ? outermostOf(type.parent) : type;
}
