import { shownLines, visibleJson } from '#server/domain/text/shown-text.ts'

/* All output of the commands. File names, titles and reasons in it come from others and must not control the terminal. */

/** Prints a result for people. */
export const say = (text: string): void => console.log(shownLines(text))

/** Prints a reason on standard error. */
export const complain = (text: string): void => console.error(shownLines(text))

export const sayJson = (value: unknown): void => console.log(visibleJson(value))

/** Lets a command go on when its reader has left, as `head` does: its exit status still says how it went. */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.off('error', unlessReaderLeft).on('error', unlessReaderLeft)
}

function unlessReaderLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
