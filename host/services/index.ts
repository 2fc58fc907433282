export {createServiceCalls} from './create-service-calls.ts';
export type {OrderServers} from './create-servers.ts';
export {checkServer} from './check-server.ts';
export {networkOfPin} from './describe-service.ts';
export {proposeServicePin, type ProposedPin} from './propose-service-pin.ts';
export {readService} from './read-service.ts';
export {resolveService} from './resolve-service.ts';
export {documentDigest, documentName, readDocument, serviceFolder, writeDocument} from './service-document.ts';
export {isService, loadServiceKind} from './service-kinds.ts';
