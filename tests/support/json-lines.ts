import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/**
 * The values in a file with one JSON value a line; none if there is no file. A killed process may have written half of the
 * last line.
 */
export function readJsonLines<T>(place: string): T[] {
  if (!existsSync(place)) return []
  return readFileSync(place, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as T]
      } catch {
        return []
      }
    })
}

export function addJsonLine(place: string, value: unknown): void {
  // The line break first: it closes the half line of a killed process.
  appendFileSync(place, `\n${JSON.stringify(value)}`)
}
