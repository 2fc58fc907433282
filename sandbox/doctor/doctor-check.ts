// One line of the doctor's report.
export interface DoctorCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do, when it is not ok. */
  readonly fix?: string;
}
