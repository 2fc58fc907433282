import {dayNumber, isCivilDate} from './civil-date.ts';

const format =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.(?<fraction>\d{1,3}))?)?(?<zone>Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Milliseconds since the epoch of an ISO 8601 text with a zone; undefined for any other text. */
export function instantOf(text: string): number | undefined {
  const parts = format.exec(text)?.groups;
  if (!parts) return undefined;
  const number = (name: string): number => Number(parts[name] ?? 0);
  const date = {year: number('year'), month: number('month'), day: number('day')};
  if (!isCivilDate(date)) return undefined;
  const minutes =
    dayNumber(date) * 1_440 + number('hour') * 60 + number('minute') - offsetMinutes(parts['zone'] ?? 'Z');
  return (minutes * 60 + number('second')) * 1_000 + Number((parts['fraction'] ?? '').padEnd(3, '0'));
}

function offsetMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours = '0', minutes = '0'] = zone.slice(1).split(':');
  return (zone.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
