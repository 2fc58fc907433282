// Dates of the Gregorian calendar as numbers of days since 1970-01-01, by arithmetic alone: the kernel has no clock and no Date.

export interface CivilDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

const daysBeforeMarch = 60;
const daysOfEra = 146_097;

/** Counts years from March, so that a leap day is the last day of its year. */
export function dayNumber({year, month, day}: CivilDate): number {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const days = marchYear * 365 + Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return days + dayOfYear + daysBeforeMarch - 719_528;
}

export function civilDate(number: number): CivilDate {
  const shifted = number + 719_528 - daysBeforeMarch;
  const era = Math.floor(shifted / daysOfEra);
  const dayOfEra = shifted - era * daysOfEra;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = ((marchMonth + 2) % 12) + 1;
  return {
    year: yearOfEra + era * 400 + (month > 2 ? 0 : 1),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** 0 is Monday. 1970-01-01 was a Thursday. */
export function weekdayOf(number: number): number {
  return (((number + 3) % 7) + 7) % 7;
}

/** Whether the date exists: 2026-02-29 does not. */
export function isCivilDate(date: CivilDate): boolean {
  const {year, month, day} = civilDate(dayNumber(date));
  return year === date.year && month === date.month && day === date.day;
}
