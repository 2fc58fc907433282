// What a passkey signs for an approval: the id of the request, and its binding, which is the digest of the exact call. So a signature for
// one request approves no other one.

/** The text whose SHA-256 is the challenge. */
export function approvalChallenge({
  request_id,
  binding,
}: {
  readonly request_id: string;
  readonly binding: string;
}): string {
  return `lumenflow-approval-v1\n${request_id}\n${binding}\n`;
}
