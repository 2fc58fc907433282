// What the tests of a pack import to run its tools in memory.
export {runTool, type LogEntry, type RunToolOptions, type ToolRun} from './run-tool.ts';
export type {TestGrants} from './test-grants.ts';
