// SHA-256 with Web Crypto, which exists in pool threads and in sandboxes.

/** Lower-case hex; a string is hashed as UTF-8. */
export async function sha256Hex(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
