/** The rows of the form, each with the names of its fields. */
export const rowsOfRoles = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    character: `character-${index + 1}`,
    least: `least-${index + 1}`,
    most: `most-${index + 1}`,
  }))
