// Where OTLP goes, from the environment variables that the OpenTelemetry specification defines.
import {hostname} from 'node:os';

export type Signal = 'traces' | 'metrics' | 'logs';

export interface OtlpSettings {
  /** Addresses by signal; a signal without one is not sent. */
  readonly urls: Readonly<Partial<Record<Signal, string>>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of this process. */
  readonly resource: Readonly<Record<string, string>>;
  readonly metricIntervalMs: number;
  readonly timeoutMs: number;
}

export class OtlpSettingsError extends Error {
  override readonly name = 'OtlpSettingsError';
}

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined if no variable names an endpoint. Throws OtlpSettingsError. */
export function otlpSettingsOf(env: Env, version: string): OtlpSettings | undefined {
  if (textOf(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const urls = {...urlOf(env, 'traces'), ...urlOf(env, 'metrics'), ...urlOf(env, 'logs')};
  if (Object.keys(urls).length === 0) return undefined;
  const protocol = textOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/json';
  // A collector accepts both encodings of HTTP at one address, so only gRPC needs another one.
  if (!['http/json', 'http/protobuf'].includes(protocol)) {
    throw new OtlpSettingsError(
      `OTEL_EXPORTER_OTLP_PROTOCOL is \`${protocol}\`, but LumenFlow sends OTLP over HTTP: set it to http/json, and name the collector's HTTP port, such as 4318`,
    );
  }
  return {
    urls,
    headers: pairsOf(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    resource: {
      'service.name': textOf(env, 'OTEL_SERVICE_NAME') ?? 'lumenflow',
      'service.version': version,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'host.name': hostname(),
      ...pairsOf(env, 'OTEL_RESOURCE_ATTRIBUTES'),
    },
    metricIntervalMs: millisecondsOf(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000),
    timeoutMs: millisecondsOf(env, 'OTEL_EXPORTER_OTLP_TIMEOUT', 10_000),
  };
}

function urlOf(env: Env, signal: Signal): Partial<Record<Signal, string>> {
  if (textOf(env, `OTEL_${signal.toUpperCase()}_EXPORTER`) === 'none') return {};
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`;
  const exact = textOf(env, own);
  const base = textOf(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  if (exact !== undefined) return {[signal]: checkedUrl(exact, own)};
  if (base === undefined) return {};
  return {[signal]: checkedUrl(`${base.replace(/\/+$/u, '')}/v1/${signal}`, 'OTEL_EXPORTER_OTLP_ENDPOINT')};
}

function checkedUrl(text: string, variable: string): string {
  if (URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol)) return text;
  throw new OtlpSettingsError(`${variable} is not an HTTP address: use, for example, http://localhost:4318`);
}

function millisecondsOf(env: Env, variable: string, usual: number): number {
  const text = textOf(env, variable);
  if (text === undefined) return usual;
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new OtlpSettingsError(`${variable} is \`${text}\`, which is not a number of milliseconds`);
}

/** `key=value,key=value`, percent-encoded. Values can be secret, so no message contains them. */
function pairsOf(env: Env, variable: string): Readonly<Record<string, string>> {
  const entries = (textOf(env, variable) ?? '').split(',').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(
    entries.map((entry, index) => {
      const [, key, value] = /^\s*([^=\s]+)\s*=(.*)$/su.exec(entry) ?? [];
      const decoded = value === undefined ? undefined : decode(value.trim());
      if (key !== undefined && decoded !== undefined) return [key, decoded];
      throw new OtlpSettingsError(`entry ${index + 1} of ${variable} is not of the form key=value, percent-encoded`);
    }),
  );
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function textOf(env: Env, variable: string): string | undefined {
  const text = env[variable]?.trim();
  return text === '' ? undefined : text;
}
