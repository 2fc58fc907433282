// The code of a generated pack, bundled into one file by the build.
export {createListing, createUpstreamTool} from './create-upstream-tool.ts';
