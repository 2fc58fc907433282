export {describeUpstream} from './describe-upstream.ts';
export {listUpstream} from './list-upstream.ts';
export {runtimePathsOf} from './runtime-paths.ts';
export {listingDigest, readListing, upstreamFolder, writeListing} from './upstream-listing.ts';
export {writeUpstreamPack} from './write-upstream-pack.ts';
