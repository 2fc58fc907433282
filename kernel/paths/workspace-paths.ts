// The port by which decisions learn where paths of the workspace lead.

/** What there is at a path of the workspace. */
export interface PathLook {
  /** Where its links lead, canonical; the path itself when none does, undefined when they lead out of the workspace. */
  readonly leads_to: string | undefined;
  /** Whether there is a directory, or it cannot be known. */
  readonly is_directory: boolean;
}

export interface WorkspacePaths {
  /** Of a canonical path. Asked only for paths that a call names, and only when a rule looks at paths. */
  look(path: string): Promise<PathLook>;
}
