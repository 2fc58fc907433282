// The location of a handler's error, for people.

const authorPlace = /(?:\(|at (?:async )?)(?!node:|file:|\/)(?<place>[^\s()<>]+:\d+:\d+)\)?$/mu;

/** `packs/notes/tools/add.ts:4:11`, the first location of a stack in the pack's sources; undefined if none is. */
export function handlerPlace(stack: unknown): string | undefined {
  return typeof stack === 'string' ? authorPlace.exec(stack)?.groups?.['place'] : undefined;
}

/** Shortens the path of a built module to its file name, which the author recognizes. */
export function withoutCacheFolder(message: string): string {
  return message.replaceAll(/`\/[^`\n]*\/cache\/packs\/[0-9a-f]{64}\/(?=[\w.-]+`)/gu, '`');
}
