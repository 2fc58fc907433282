// `time`: when the call came in, by the clock on the wall of a zone.
import type {TimeMatcher} from '@lumenflow/schemas';
import {isRecord} from '../is-record.ts';
import type {PolicyRequest} from '../policy-request.ts';
import {hasDay, hourOfWeek, hoursOfWeek, isInWindow, parseTimeWindow, type TimeWindow} from '../time/time-window.ts';
import {createZones, type ZoneTimes} from '../time/zones.ts';
import {inAnyRule, type MatcherKey} from './matcher-key.ts';

const partNames: readonly string[] = ['zone', 'days', 'hours', 'dates'];

export const timeKey: MatcherKey = {
  compile(operand, pointer, site) {
    if (!isRecord(operand) || typeof operand['zone'] !== 'string' || Object.keys(operand).length === 1) {
      const help = 'for example `{zone: Europe/Berlin, days: mon-fri, hours: 09:00-17:00}`';
      return site.reject(pointer, 'POLICY_MATCHER_INVALID', '`time` needs a `zone`, and days, hours or dates', help);
    }
    const unknown = Object.keys(operand).find((name) => !partNames.includes(name));
    if (unknown !== undefined) {
      return site.reject(
        `${pointer}/${unknown}`,
        'POLICY_MATCHER_INVALID',
        `unknown condition \`${unknown}\` on a time`,
      );
    }
    const {zone} = operand;
    const times = site.zones.of(zone);
    if (!times) {
      const help = 'write an IANA time zone, such as `Europe/Berlin` or `UTC`';
      return site.reject(`${pointer}/zone`, 'POLICY_ZONE_UNKNOWN', `there is no time zone \`${zone}\``, help);
    }
    const window = parseTimeWindow(operand);
    if ('part' in window) {
      return site.reject(`${pointer}/${window.part}`, 'POLICY_TIME_INVALID', window.message, window.help);
    }
    return (request) => {
      const time = localTime(times, request);
      return time !== undefined && isInWindow(window, time);
    };
  },
  reach(operand: TimeMatcher) {
    const window = parseTimeWindow(operand);
    return () => ('part' in window || !hasDay(window) ? 'never' : 'maybe');
  },
  *requires(operand: TimeMatcher) {
    const window = parseTimeWindow(operand);
    if ('part' in window || !isWeekly(window)) return;
    // Of many rules with the same zone, only the first one's is used.
    let times: ZoneTimes | undefined;
    const read = (request: PolicyRequest): unknown => {
      times ??= createZones().of(operand.zone);
      const time = times && localTime(times, request);
      return time && hourOfWeek(time);
    };
    yield {subject: `time#${operand.zone}`, read, values: hoursOfWeek(window), prefixes: []};
  },
  names: () => [],
  example: ({at}) => (at === undefined ? {} : {context: {at}}),
  ...inAnyRule,
};

function localTime(times: ZoneTimes, {context: {at}}: PolicyRequest): ReturnType<ZoneTimes> {
  return at === undefined ? undefined : times(at);
}

function isWeekly({days, hours}: TimeWindow): boolean {
  return days !== undefined || hours !== undefined;
}
