// Attribute values in the JSON encoding of OTLP: 64-bit integers are strings.

export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

export type OtlpValue =
  | {readonly stringValue: string}
  | {readonly boolValue: boolean}
  | {readonly intValue: string}
  | {readonly doubleValue: number}
  | {readonly arrayValue: {readonly values: readonly OtlpValue[]}}
  | {readonly kvlistValue: {readonly values: readonly OtlpAttribute[]}};

/** Of JSON values; undefined and null are left out. */
export function otlpAttributes(values: Readonly<Record<string, unknown>>): readonly OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{key, value: otlpValue(value)}],
  );
}

export function otlpValue(value: unknown): OtlpValue {
  if (typeof value === 'string') return {stringValue: value};
  if (typeof value === 'boolean') return {boolValue: value};
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? {intValue: String(value)} : {doubleValue: value};
  }
  if (Array.isArray(value)) return {arrayValue: {values: value.map(otlpValue)}};
  return {kvlistValue: {values: otlpAttributes(value as Readonly<Record<string, unknown>>)}};
}

/** Nanoseconds since the epoch, from milliseconds with fractions. */
export function otlpTime(ms: number): string {
  const whole = Math.trunc(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)));
}
