// A pack as a pack source passes it to the kernel: its manifest is checked, its code is built, and its rules have their positions.
import type {PackManifest, PackPin, ToolDeclaration, ToolSink} from '@lumenflow/schemas';
import type {ToolPaths} from '../paths/path-inputs.ts';
import type {LocatedRule} from '../policy/index.ts';
import type {ScopeLayer} from '../scopes/index.ts';

/** One mistake that a JSON Schema found: a pointer into the value, and what is wrong there. */
export interface SchemaIssue {
  readonly pointer: string;
  readonly message: string;
}

/** Returns the issues, or an empty list if the value is valid. Precompiled. */
export type ValueValidator = (value: unknown) => readonly SchemaIssue[];

export interface LoadedTool {
  readonly declaration: ToolDeclaration;
  /** Absolute path of the built JavaScript module. Its folder contains only the built pack, because the sandbox sees all of it. */
  readonly module_path: string;
  readonly export_name: string;
  /** `file:line:column` of the declaration. */
  readonly where: string;
  readonly validateInput: ValueValidator;
  readonly validateOutput: ValueValidator;
  /**
   * Runs code of its caller, and has no files itself: the calls that it makes are scoped, found and listed as its caller's own. A
   * manifest cannot declare it.
   */
  readonly runs_caller_code?: true;
  /** The text of a program: the tool has no code and no files itself, only the calls that the program makes. */
  readonly program?: {
    /** For messages. */
    readonly file: string;
    readonly text: string;
  };
  /** The tool's variant for an input: the same tool with further required scopes. */
  readonly by_input?: ToolVariants<LoadedTool>;
}

export interface ToolVariants<Tool> {
  /** Of the input: a string. */
  readonly property: string;
  /** The value of an input without the property. */
  readonly default?: string;
  readonly variants: ReadonlyMap<string, Tool>;
}

export interface LoadedPack {
  readonly pin: PackPin;
  readonly manifest: PackManifest;
  /** sha256:<hex> of the files, even if the pin is `dev`. */
  readonly integrity: string;
  /** Absolute path of the pack's directory. */
  readonly root: string;
  /** Absolute paths that its handlers load from, besides their module. The sandbox shows them whole and read-only. */
  readonly runtime_paths?: readonly string[];
  /** The pack's validated config. */
  readonly config: unknown;
  readonly tools: readonly LoadedTool[];
  /** The manifest's rules, then the factory's. */
  readonly rules: readonly LocatedRule[];
  /** `file:line:column` of a JSON pointer into the manifest. */
  where(pointer: string): string;
}

/** Where a tool's text comes from and goes, as its manifest and workspace.yaml say. */
export interface ToolMarks {
  readonly source?: 'untrusted' | 'trusted' | undefined;
  readonly sink?: ToolSink | undefined;
}

/** A tool as the kernel registers it, with its pack and its compiled required scopes. */
export interface RegisteredTool extends Omit<LoadedTool, 'by_input'> {
  readonly name: string;
  readonly by_input?: ToolVariants<RegisteredTool>;
  /** Of a variant: its value. */
  readonly variant?: string | undefined;
  readonly pack: LoadedPack;
  readonly scopes: ScopeLayer;
  readonly marks: ToolMarks;
  /** Scopes beyond this tool's own grant for its calls of other tools, by their names, from its manifest. */
  readonly calls?: ReadonlyMap<string, ScopeLayer> | undefined;
  /** The inputs that are workspace paths; absent if there are none. */
  readonly paths?: ToolPaths | undefined;
}
