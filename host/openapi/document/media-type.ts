// Media types, compared without their parameters.

export function isJson(mediaType: string): boolean {
  return /^application\/(?:[a-z0-9.+-]+\+)?json$/u.test(plainType(mediaType));
}

/** Without parameters, in lower case. */
export function plainType(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
