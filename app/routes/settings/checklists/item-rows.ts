/** The rows of the form, each with the names of its fields. */
export const rowsOfItems = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    text: `text-${index + 1}`,
    phase: `phase-${index + 1}`,
    need: `need-${index + 1}`,
  }))
