/* Formats once, on the server side of the loader: a browser never guesses the office's time zone. */

/** An instant for people, with the exact one for machines. */
export function Time({ at, children }: { at: number; children: string }) {
  return <time dateTime={new Date(at).toISOString()}>{children}</time>
}
