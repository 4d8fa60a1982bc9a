/** A number of rows that were counted up to `most`: the list behind it may be longer, and `99+` says so. */
export const countText = (count: number, most = 100): string =>
  count < most ? String(count) : `${most - 1}+`
