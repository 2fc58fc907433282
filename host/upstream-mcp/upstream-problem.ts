// Why a server cannot be used, and what to do.
export interface UpstreamProblem {
  readonly message: string;
  readonly help: string;
}
