// The pack's config as config.schema.json admits it (`software_delivery:` in workspace.yaml).
// The whole key may be absent.
export interface GateCommand {
  readonly command: string;
  readonly timeout_ms?: number;
  /** Its failure is reported and fails nothing. */
  readonly optional?: boolean;
}

export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

export interface SoftwareDeliveryConfig {
  readonly gates?: {readonly commands: Readonly<Record<string, string | GateCommand>>};
  readonly git?: {readonly author?: CommitIdentity};
}

export type PackConfig = SoftwareDeliveryConfig | undefined;
