// A page of a long list in order, after the last entry of the previous page.
import {okReply, refuse, type Reply} from '../reply.ts';

export interface PageQuery {
  /** Maximum number of entries; default 100. */
  readonly limit?: number;
  /** Id of the last entry of the previous page. */
  readonly after?: string;
  /** Default: oldest first. */
  readonly order?: 'oldest' | 'newest';
}

export const pageProperties: Readonly<
  Record<keyof PageQuery, {readonly type: string; readonly [keyword: string]: unknown}>
> = {
  limit: {type: 'integer', minimum: 1, maximum: 1000},
  after: {type: 'string', maxLength: 128},
  order: {type: 'string', enum: ['oldest', 'newest']},
};

export interface PageEntry<T> {
  idOf(entry: T): string;
  /** Completes an entry of the page. */
  show?(entry: T): unknown;
  /** Further fields of the page. */
  readonly more?: object;
}

/**
 * Takes entries from the oldest on. Returns them under `key`, with the total count, and with `next_after` unless the page is the
 * last.
 */
export async function page<T>(
  key: string,
  oldest: readonly T[],
  {idOf, show = (entry) => entry, more}: PageEntry<T>,
  query: PageQuery,
): Promise<Reply> {
  const {limit = 100, after, order} = query;
  const entries = order === 'newest' ? oldest.toReversed() : oldest;
  const start = after === undefined ? 0 : entries.findIndex((entry) => idOf(entry) === after) + 1;
  if (after !== undefined && start === 0) {
    return refuse('INVALID_INPUT', `\`after\` names no entry of this list: \`${after}\``, {pointer: '/after'});
  }
  const listed = entries.slice(start, start + limit);
  const last = listed.at(-1);
  const total = entries.length;
  const next = last !== undefined && start + limit < total && {next_after: idOf(last)};
  return okReply({[key]: await Promise.all(listed.map((entry) => show(entry))), total, ...next, ...more});
}
