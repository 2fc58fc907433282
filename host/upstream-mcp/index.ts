export {describeUpstream} from './describe-upstream.ts';
export {listUpstream, type ListedUpstream} from './list-upstream.ts';
export {proposePin, withPin} from './propose-pin.ts';
export {runtimePathsOf} from './runtime-paths.ts';
export {listingDigest, readListing, upstreamFolder, writeListing} from './upstream-listing.ts';
export {writeUpstreamPack} from './write-upstream-pack.ts';
