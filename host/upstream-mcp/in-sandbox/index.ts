// All that a generated pack is made of besides its manifest: bundled into one file by the build.
export {createListing, createUpstreamTool} from './create-upstream-tool.ts';
