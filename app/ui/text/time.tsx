/**
 * An instant for people, with the exact one for machines. The words come from the loader: a browser would
 * have to guess the time zone of the office.
 */
export function Time({ at, children }: { at: number; children: string }) {
  return <time dateTime={new Date(at).toISOString()}>{children}</time>
}
