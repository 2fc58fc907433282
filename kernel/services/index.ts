// What the host and integrations use of services.
export {describesItself} from './describes-itself.ts';
export type {
  CredentialKey,
  DocumentSource,
  ServiceCall,
  ServiceClient,
  ServiceDescription,
  ServiceFailure,
  ServiceKind,
  ServiceNetwork,
  ServiceOperation,
  ServiceProblem,
  ServiceReply,
  ServiceValue,
} from './service-kind.ts';
