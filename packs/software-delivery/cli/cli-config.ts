// `software_delivery.cli` in workspace.yaml: commands of a team's own, which keep their code and come under governance.
export interface CliCommandConfig {
  /** A module that exports `main()`, relative to `root`. */
  readonly module?: string;
  /** A program that runs when it is loaded, relative to the workspace. */
  readonly script?: string;
  /** What it may do: the sandbox holds it to that, and an `admin` command waits for an approval. */
  readonly permission: 'read' | 'write' | 'admin';
  readonly description: string;
  /** JSON Schema of the list of arguments. */
  readonly args_schema?: Readonly<Record<string, unknown>>;
  /** Default 60000. */
  readonly timeout_ms?: number;
}

export interface CliConfig {
  /** Folder of the modules, relative to the workspace. */
  readonly root: string;
  readonly commands: Readonly<Record<string, CliCommandConfig>>;
}
