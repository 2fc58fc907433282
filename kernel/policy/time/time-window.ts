// Hours, weekdays and dates as a rule gives them. A range of hours over midnight belongs to the day on which it begins: `fri` with
// `22:00-06:00` ends on Saturday at six. Wall clocks decide: an hour that a change of the clocks skips never comes, and one that it repeats
// counts both times.
import type {TimeMatcher} from '@lumenflow/schemas';
import {civilDate, dayNumber, isCivilDate, weekdayOf, type CivilDate} from './civil-date.ts';
import type {LocalTime} from './zones.ts';

interface MinuteRange {
  readonly from: number;
  /** Exclusive; at or before `from`, it is on the next day. */
  readonly to: number;
}

interface DateRange {
  /** yearly: months and days as `month * 100 + day`. Otherwise numbers of days. */
  readonly yearly: boolean;
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** Absent parts restrict nothing. */
export interface TimeWindow {
  /** 0 is Monday. */
  readonly days?: ReadonlySet<number>;
  readonly hours?: readonly MinuteRange[];
  readonly dates?: readonly DateRange[];
}

export interface WindowProblem {
  readonly part: 'days' | 'hours' | 'dates';
  readonly message: string;
  readonly help: string;
}

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const minutesOfDay = 1_440;

export function parseTimeWindow({days, hours, dates}: Omit<TimeMatcher, 'zone'>): TimeWindow | WindowProblem {
  const wrong =
    firstWrong('days', days, parseDays, 'write days such as `mon`, or a range such as `mon-fri`') ??
    firstWrong('hours', hours, parseHours, 'write a range such as `09:00-17:00`; `22:00-06:00` ends on the next day') ??
    firstWrong(
      'dates',
      dates,
      parseDates,
      'write `2026-12-24`, `2026-12-24..2026-12-26`, or every year `12-24..01-02`',
    );
  if (wrong) return wrong;
  return {
    ...(days !== undefined && {days: new Set([days].flat().flatMap((text) => parseDays(text) ?? []))}),
    ...(hours !== undefined && {hours: [hours].flat().flatMap((text) => parseHours(text) ?? [])}),
    ...(dates !== undefined && {dates: [dates].flat().flatMap((text) => parseDates(text) ?? [])}),
  };
}

export function isInWindow({days, hours, dates}: TimeWindow, {day, minute}: LocalTime): boolean {
  const isOn = (one: number): boolean =>
    (days === undefined || days.has(weekdayOf(one))) &&
    (dates === undefined || dates.some((range) => isOnDate(range, one)));
  if (hours === undefined) return isOn(day);
  return hours.some(({from, to}) =>
    from < to
      ? minute >= from && minute < to && isOn(day)
      : (minute >= from && isOn(day)) || (minute < to && isOn(day - 1)),
  );
}

/** Hours of the week from Monday's first, 0 to 167, in which some minute can be in the window. */
export function hoursOfWeek({days, hours}: TimeWindow): readonly number[] {
  const monday = 4;
  const weekly = {...(days && {days}), ...(hours && {hours})};
  // A range that has a minute of the hour contains its first minute, or begins in it.
  const minutes = new Set([0, ...(hours ?? []).map(({from}) => from % 60)]);
  return Array.from({length: 168}, (_, hour) => hour).filter((hour) => {
    const day = monday + Math.floor(hour / 24);
    return [...minutes].some((minute) => isInWindow(weekly, {day, minute: (hour % 24) * 60 + minute}));
  });
}

export function hourOfWeek({day, minute}: LocalTime): number {
  return weekdayOf(day) * 24 + Math.floor(minute / 60);
}

/** The last day of a window whose dates all have years; undefined if it comes again. */
export function lastDay({dates = []}: TimeWindow): number | undefined {
  if (dates.length === 0 || dates.some(({yearly}) => yearly)) return undefined;
  return Math.max(...dates.map(({to}) => to));
}

/** Whether the window has a day at all: each date falls on every weekday in some year, unless the year is given. */
export function hasDay({days, dates}: TimeWindow): boolean {
  if (days === undefined || dates === undefined) return true;
  return dates.some(({yearly, from, to}) => {
    if (yearly || to - from >= 6) return true;
    return Array.from({length: to - from + 1}, (_, index) => from + index).some((day) => days.has(weekdayOf(day)));
  });
}

function firstWrong(
  part: WindowProblem['part'],
  texts: string | readonly string[] | undefined,
  parse: (text: string) => unknown,
  help: string,
): WindowProblem | undefined {
  const list: readonly unknown[] = texts === undefined ? [] : [texts].flat();
  if (texts !== undefined && list.length === 0)
    return {part, message: `an empty list of ${part} matches nothing`, help};
  const wrong = list.find((text) => typeof text !== 'string' || parse(text) === undefined);
  return wrong === undefined
    ? undefined
    : {part, message: `\`${typeof wrong === 'string' ? wrong : typeof wrong}\` is not valid in \`${part}\``, help};
}

function parseDays(text: string): readonly number[] | undefined {
  const [from = -1, to = from, ...more] = text.split('-').map((name) => dayNames.indexOf(name));
  if (from < 0 || to < 0 || more.length > 0) return undefined;
  return Array.from({length: ((to - from + 7) % 7) + 1}, (_, index) => (from + index) % 7);
}

function parseHours(text: string): MinuteRange | undefined {
  const parts = /^(\d\d):([0-5]\d)-(\d\d):([0-5]\d)$/.exec(text)?.slice(1).map(Number);
  const [fromHour = 99, fromMinute = 0, toHour = 99, toMinute = 0] = parts ?? [];
  const from = fromHour * 60 + fromMinute;
  const to = toHour * 60 + toMinute;
  return from < minutesOfDay && to <= minutesOfDay && from !== to ? {from, to} : undefined;
}

function parseDates(text: string): DateRange | undefined {
  const [from, to = from, ...more] = text.split('..').map(parseDate);
  if (from === undefined || to === undefined || more.length > 0 || from.yearly !== to.yearly) return undefined;
  // A range of days of the year can include its end.
  return from.yearly || from.value <= to.value ? {yearly: from.yearly, from: from.value, to: to.value} : undefined;
}

function parseDate(text: string): {readonly yearly: boolean; readonly value: number} | undefined {
  const parts = /^(?:(\d{4})-)?(\d\d)-(\d\d)$/.exec(text);
  if (!parts) return undefined;
  // A year with a leap day.
  const date: CivilDate = {year: Number(parts[1] ?? 2000), month: Number(parts[2]), day: Number(parts[3])};
  if (!isCivilDate(date)) return undefined;
  return parts[1] === undefined ? {yearly: true, value: dayOfYear(date)} : {yearly: false, value: dayNumber(date)};
}

function isOnDate({yearly, from, to}: DateRange, day: number): boolean {
  const value = yearly ? dayOfYear(civilDate(day)) : day;
  return from <= to ? value >= from && value <= to : value >= from || value <= to;
}

function dayOfYear({month, day}: CivilDate): number {
  return month * 100 + day;
}
