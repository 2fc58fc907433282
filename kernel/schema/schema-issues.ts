// What a schema finds wrong with a value, as issues for the sender.
import type {SchemaError} from '@lumenflow/schemas/validators';
import type {SchemaIssue} from '../packs/loaded-pack.ts';
import {describeSchemaErrors} from './describe-schema-errors.ts';

const issuesMax = 20;

/** At least one: for a value that does not match. */
export function schemaIssues(errors: readonly SchemaError[] | null | undefined): readonly SchemaIssue[] {
  const findings = describeSchemaErrors(errors ?? []);
  if (findings.length === 0) return [{pointer: '', message: 'the value does not match its schema'}];
  return findings.slice(0, issuesMax).map(({pointer, key, message, help}) => ({
    pointer: key === undefined ? pointer : `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: help === undefined ? message : `${message} (${help})`,
  }));
}
