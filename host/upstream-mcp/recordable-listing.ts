// What a server returned when it was asked for its tools, if packs.lock can record it.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {tryCanonicalJson} from '@lumenflow/kernel/adapters';
import type {ToolHints, UpstreamListing} from './upstream-listing.ts';

export interface ListedUpstream {
  readonly listing: UpstreamListing;
  readonly hints: ToolHints;
}

/** `data`: the output of the listing's handler. */
export function recordableListing(data: unknown): Outcome<ListedUpstream, string> {
  const {hints, ...listing} = data as UpstreamListing & {readonly hints: ToolHints};
  const written = tryCanonicalJson(listing);
  return written.ok ? ok({listing, hints}) : failed(`its list cannot be recorded: ${written.problem.message}`);
}
