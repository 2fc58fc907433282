import {expect, test} from 'vitest';
import {otlpSettingsOf} from './otlp-settings.ts';

const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';

test('without an endpoint, or disabled, nothing is sent', () => {
  expect(otlpSettingsOf({}, '1')).toBeUndefined();
  expect(otlpSettingsOf({[endpoint]: ' '}, '1')).toBeUndefined();
  expect(otlpSettingsOf({[endpoint]: 'http://c:4318', OTEL_SDK_DISABLED: 'true'}, '1')).toBeUndefined();
});

test('paths are added to the common endpoint, and not to that of one signal', () => {
  const env = {
    [endpoint]: 'https://c:4318/otlp/',
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://d/own',
    OTEL_METRICS_EXPORTER: 'none',
  };
  expect(otlpSettingsOf(env, '1')?.urls).toEqual({traces: 'https://c:4318/otlp/v1/traces', logs: 'http://d/own'});
});

test('headers and attributes are decoded', () => {
  const settings = otlpSettingsOf(
    {
      [endpoint]: 'http://c',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==, x=1',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=prod',
      OTEL_SERVICE_NAME: 'tools',
    },
    '1',
  );
  expect(settings?.headers).toEqual({authorization: 'Basic YTpi==', x: '1'});
  expect(settings?.resource).toMatchObject({'service.name': 'tools', 'deployment.environment': 'prod'});
});

test.each([
  ['a scheme that is not HTTP', {[endpoint]: 'localhost:4318'}, endpoint],
  ['gRPC', {[endpoint]: 'http://c', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc'}, 'http/json'],
  ['an interval of words', {[endpoint]: 'http://c', OTEL_METRIC_EXPORT_INTERVAL: 'soon'}, 'milliseconds'],
])('%s is rejected, with the variable', (_name, env, text) => {
  expect(() => otlpSettingsOf(env, '1')).toThrow(text);
});

test('a malformed header is rejected without its value, which can be secret', () => {
  const env = {[endpoint]: 'http://c', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=%E0%A4%A hunter2'};
  expect(() => otlpSettingsOf(env, '1')).toThrow(/^entry 1 of OTEL_EXPORTER_OTLP_HEADERS is not of the form/u);
  expect(() => otlpSettingsOf(env, '1')).not.toThrow('hunter2');
});
