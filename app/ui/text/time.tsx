/**
 * A time in words, with the exact instant for machines. The loader supplies the words: the browser does not
 * know the office's time zone.
 */
export function Time({ at, children }: { at: number; children: string }) {
  return <time dateTime={new Date(at).toISOString()}>{children}</time>
}
