// Where a handler's error came from, for people.

const authorPlace = /(?:\(|at (?:async )?)(?!node:|file:|\/)(?<place>[^\s()<>]+:\d+:\d+)\)?$/mu;

/** `packs/notes/tools/add.ts:4:11`, the first place in a stack that is of a pack's sources; undefined when none is. */
export function handlerPlace(stack: unknown): string | undefined {
  return typeof stack === 'string' ? authorPlace.exec(stack)?.groups?.['place'] : undefined;
}

/** Names a built module as its author knows it: by its file's name, without the folder it was built into. */
export function withoutCacheFolder(message: string): string {
  return message.replaceAll(/`[^`]*\/cache\/packs\/[0-9a-f]{64}\//gu, '`');
}
