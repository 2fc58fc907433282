// The API for a pack's tests that run it on a real host.
export {testPack, type TestedPack, type TestPackOptions} from './test-pack.ts';
export {packConformance, type ConformanceCheck, type ConformanceOptions} from './pack-conformance.ts';
