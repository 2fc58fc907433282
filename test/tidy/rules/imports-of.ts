// Every way a file names another module, from the syntax tree: a comment or a string that looks like an import does not count.
import {parseSync, Visitor, type VisitorObject} from 'oxc-parser';
import {lineAt, type SourceFile} from './source-file.ts';

export interface ImportOf {
  /** As written; undefined when the module's name is computed at run time. */
  readonly specifier: string | undefined;
  readonly line: number;
  /** Erased by the compiler: nothing is loaded. */
  readonly typeOnly: boolean;
  /** Loaded only once the code that says so runs. */
  readonly late: boolean;
}

/** The syntax tree of one file. Throws if the file is not valid JavaScript or TypeScript. */
export function parse(file: SourceFile): ReturnType<typeof parseSync>['program'] {
  const {program, errors} = parseSync(file.path, file.text);
  const [error] = errors;
  if (error) throw new Error(`${file.path} cannot be parsed: ${error.message}`);
  return program;
}

function literal(node: object | null | undefined): string | undefined {
  return node && 'value' in node && typeof node.value === 'string' ? node.value : undefined;
}

/** Several rules read the imports of the same files. */
const cache = new WeakMap<SourceFile, readonly ImportOf[]>();

export function importsOf(file: SourceFile): readonly ImportOf[] {
  const imports = cache.get(file) ?? readImports(file);
  cache.set(file, imports);
  return imports;
}

/** Imports, re-exports, `import()`, `import('x').Type`, `require()` and `import.meta.resolve()`, in their order. */
function readImports(file: SourceFile): readonly ImportOf[] {
  const found: ImportOf[] = [];
  const add = (node: {start: number}, module: object | null | undefined, typeOnly: boolean, late = false): void => {
    found.push({specifier: literal(module), line: lineAt(file.text, node.start), typeOnly, late});
  };
  const visitor: VisitorObject = {
    ImportDeclaration(node) {
      const {specifiers} = node;
      const allTypes =
        specifiers.length > 0 && specifiers.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type');
      add(node, node.source, node.importKind === 'type' || allTypes);
    },
    ExportNamedDeclaration(node) {
      if (node.source) add(node, node.source, node.exportKind === 'type');
    },
    ExportAllDeclaration(node) {
      add(node, node.source, node.exportKind === 'type');
    },
    ImportExpression(node) {
      add(node, node.source, false, true);
    },
    TSImportType(node) {
      add(node, node.source, true);
    },
    TSExternalModuleReference(node) {
      add(node, node.expression, false);
    },
    CallExpression(node) {
      const {callee} = node;
      const isRequire = callee.type === 'Identifier' && callee.name === 'require';
      const isResolve =
        callee.type === 'MemberExpression' &&
        callee.object.type === 'MetaProperty' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'resolve';
      if (isRequire || isResolve) add(node, node.arguments[0], false, true);
    },
  };
  new Visitor(visitor).visit(parse(file));
  return found.toSorted((a, b) => a.line - b.line);
}
