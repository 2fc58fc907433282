// For tests that need a Restate server.
export {createRestateServer, noServer, type RestateTestServer} from './create-restate-server.ts';
