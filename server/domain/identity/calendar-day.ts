/** Whether `YYMMDD` is a valid day in some century: RFC and CURP have two-digit years. */
export function isCalendarDay(yymmdd: string): boolean {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(yymmdd)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  // 2000 was a leap year, so 00-02-29 exists; every other year divisible by four is one in both centuries.
  const date = new Date(Date.UTC(2000 + year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
