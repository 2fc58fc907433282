// The code of a generated pack, bundled into one file by the build.
export {createListing} from './create-listing.ts';
export {createUpstreamPrompt} from './create-upstream-prompt.ts';
export {createUpstreamResource} from './create-upstream-resource.ts';
export {createUpstreamTool} from './create-upstream-tool.ts';
