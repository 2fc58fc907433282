// A request that the front end refuses, as gRPC reports it.
import {status} from '@grpc/grpc-js';

export class Refused extends Error {
  readonly code: status;
  readonly details: string;

  constructor(code: status, details: string) {
    super(details);
    this.code = code;
    this.details = details;
  }
}

export function notFound(): Refused {
  return new Refused(status.NOT_FOUND, 'workflow execution not found, or completed already');
}
