// What every forge can do: open a request for review, and report its state. Each adapter maps one API to it.

export interface ReviewRequest {
  /** The pushed branch. */
  readonly branch: string;
  /** The branch to merge into. */
  readonly target: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly draft: boolean;
}

export interface ForgeReview {
  readonly number: number;
  /** For people. */
  readonly url: string;
  readonly state: 'open' | 'merged' | 'closed';
  /** The commit on the target branch, if it was merged. */
  readonly commit?: string;
}

export interface Forge {
  /** Updates the open request of the branch if there is one. */
  open(request: ReviewRequest): Promise<ForgeReview>;
  read(number: number): Promise<ForgeReview>;
}

/** A reply of the API. */
export interface ForgeReply {
  readonly status: number;
  /** Parsed JSON; undefined if the body is not JSON. */
  readonly body: unknown;
}

/** Sends one request. Replies with a status in `accept` are returned; any other throws. */
export type SendToForge = (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT',
  path: string,
  options?: {readonly body?: object; readonly accept?: readonly number[]},
) => Promise<ForgeReply>;
