import { randomUUID } from 'node:crypto'

/** For a page with an `OnceField`: names one form, so that it makes one thing however often it is sent. */
export const newOnce = (): string => randomUUID()
