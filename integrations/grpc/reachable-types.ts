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
  const root = emptyNamespace();
  for (const type of outermost) {
    const path = type.fullName.slice(1).split('.');
    let at = root;
    for (const part of path.slice(0, -1)) at = (at.nested[part] ??= emptyNamespace()) as Namespace;
    at.nested[type.name] = type.toJSON();
  }
  return root;
}

interface Namespace {
  readonly nested: Record<string, protobuf.AnyNestedObject>;
}

/** Without a prototype, because a service chooses the names, `constructor` for example. */
function emptyNamespace(): Namespace {
  return {nested: Object.create(null) as Namespace['nested']};
}

function outermostOf(type: protobuf.Type | protobuf.Enum): protobuf.Type | protobuf.Enum {
  return type.parent instanceof protobuf.Type ? outermostOf(type.parent) : type;
}
