// What the harness and the program on the machine say to each other.
export interface StageOrder {
  /** group/name */
  readonly attack: string;
}

export interface StageAnswer {
  /** Whether every attempt was really made. */
  readonly begun: boolean;
  readonly succeeded: boolean;
  readonly said: string;
  /** The attack left the machine in a state that no other attack should start from. */
  readonly spoilt: boolean;
}
