// The messages of gRPC server reflection that are used here.
import {protobuf} from './protobuf.ts';

const names = {rule: 'repeated', type: 'Service', id: 1} as const;

export const reflectionTypes: protobuf.Root = protobuf.Root.fromJSON({
  nested: {
    Request: {
      fields: {
        file_by_filename: {type: 'string', id: 3},
        file_containing_symbol: {type: 'string', id: 4},
        list_services: {type: 'string', id: 7},
      },
    },
    Response: {
      fields: {
        file_descriptor_response: {type: 'Files', id: 4},
        list_services_response: {type: 'Services', id: 6},
        error_response: {type: 'Failure', id: 7},
      },
    },
    Files: {fields: {file_descriptor_proto: {rule: 'repeated', type: 'bytes', id: 1}}},
    Services: {fields: {service: names}},
    Service: {fields: {name: {type: 'string', id: 1}}},
    Failure: {fields: {error_message: {type: 'string', id: 2}}},
  },
});
