// The port that resolves paths of the workspace for decisions.

/** What is at a path of the workspace. */
export interface PathLook {
  /** The canonical target of its links; the path itself without links, undefined if they lead out of the workspace. */
  readonly leads_to: string | undefined;
  /** Whether it is a directory, or might be one. */
  readonly is_directory: boolean;
}

export interface WorkspacePaths {
  /** Resolves a canonical path. Called only for paths that a call names, and only if a rule matches paths. */
  look(path: string): Promise<PathLook>;
}
