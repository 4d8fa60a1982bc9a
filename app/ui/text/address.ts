/** Returns `path` with the query parameters that have a value, and once more for each further value. */
export function address(
  path: string,
  query: Record<string, string | readonly string[] | undefined>,
): string {
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query))
    for (const value of typeof values === 'string' ? [values] : (values ?? []))
      if (value) search.append(name, value)
  return search.size > 0 ? `${path}?${search}` : path
}
