import { v7 } from 'uuid'

/**
 * A new id for a row of which an office collects many. Ids made about the same time are neighbours in every index, so that
 * new rows touch the pages of an index that are in memory; random ids would read one page for each index from the disk.
 *
 * @param at milliseconds since 1970, at which the row is made; anyone who sees the id can read it
 * @returns a UUID of version 7; it cannot be guessed, but never grants access
 * @see RFC 9562, 5.7, "UUID Version 7"
 */
export const timeOrderedId = (at: number): string => v7({ msecs: at })
