export {createCircuits} from './create-circuits.ts';
export {describeUpstream} from './describe-upstream.ts';
export {listUpstream, type ListedUpstream} from './list-upstream.ts';
export {pinFault} from './pin-fault.ts';
export {proposePin, withPin} from './propose-pin.ts';
export {runtimePathsOf} from './runtime-paths.ts';
export {serverEnded} from './server-ended.ts';
export {listingDigest, readListing, upstreamFolder, writeListing} from './upstream-listing.ts';
export {writeUpstreamPack} from './write-upstream-pack.ts';
