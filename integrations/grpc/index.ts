// Loaded by the host where a workspace pins a gRPC service.
export {kind} from './kind.ts';
