// Local times of IANA zones, from the language's own data. Nothing here reads a clock: each time is given. Rules that are asked about one
// decision ask for the same time, so each zone keeps the newest one.
import {dayNumber} from './civil-date.ts';
import {instantOf} from './instant-of.ts';

export interface LocalTime {
  /** Days since 1970-01-01 of the local date. */
  readonly day: number;
  /** Minutes since the local midnight by the clock on the wall, from 0 to 1,439. */
  readonly minute: number;
}

/** Undefined for a text that is not a time. */
export type ZoneTimes = (at: string) => LocalTime | undefined;

export interface Zones {
  /** Undefined if there is no such zone. */
  of(name: string): ZoneTimes | undefined;
}

export function createZones(): Zones {
  const known = new Map<string, ZoneTimes | undefined>();
  return {
    of(name) {
      if (!known.has(name)) known.set(name, zoneTimes(name));
      return known.get(name);
    },
  };
}

function zoneTimes(name: string): ZoneTimes | undefined {
  const format = /^[A-Za-z]/.test(name) ? formatOf(name) : undefined;
  if (!format) return undefined;
  let newest: {readonly at: string; readonly time: LocalTime | undefined} | undefined;
  return (at) => {
    if (newest?.at !== at) newest = {at, time: localTime(format, at)};
    return newest.time;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function localTime(format: Intl.DateTimeFormat, at: string): LocalTime | undefined {
  const instant = instantOf(at);
  if (instant === undefined) return undefined;
  const parts = new Map(format.formatToParts(instant).map(({type, value}) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? Number.NaN;
  return {
    day: dayNumber({year: part('year'), month: part('month'), day: part('day')}),
    minute: part('hour') * 60 + part('minute'),
  };
}
