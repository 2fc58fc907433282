// HTTP services that an OpenAPI document describes, as one kind of service.
import type {ServiceKind} from '@lumenflow/kernel/adapters';
import {describeOpenapi} from './document/describe-openapi.ts';
import {readOpenapi} from './document/read-openapi.ts';
import {createOpenapiClient} from './requests/create-openapi-client.ts';

export const openapiKind: ServiceKind = {
  read: readOpenapi,
  describe: describeOpenapi,
  connect: () => createOpenapiClient(),
};
