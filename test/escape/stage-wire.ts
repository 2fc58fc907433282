// What the harness and the program on the machine say to each other.
export interface StageOrder {
  /** group/name */
  readonly attack: string;
  /** Each attempt is made in a sandbox that was started before its call, where the backend has such. */
  readonly warm: boolean;
}

export interface StageAnswer {
  /** Whether every attempt was really made. */
  readonly begun: boolean;
  /** Whether the backend does not start such calls, so that an attempt was not made. */
  readonly refused: boolean;
  readonly succeeded: boolean;
  readonly said: string;
  /** Attempts that a sandbox served which was started before. */
  readonly warm: number;
  /** The attack left the machine in a state that no other attack should start from. */
  readonly spoilt: boolean;
}
