import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { OtherHolder } from '#server/demo/demo-files.ts'
import { PEOPLE } from '#server/demo/people.ts'
import type { Joining } from '#server/demo/seed-office.ts'
import { after, Instant } from '#server/domain/time.ts'
import { STAFF } from './staff.ts'

const FILE = 'year.json'
const Kept = z.object({ end: Instant })

/**
 * The end of the year of a demo: each start finds that of the first one, so that the year is planned alike.
 *
 * @param folder of the demo
 * @returns undefined for a demo without a year
 */
export function findYearEnd(folder: string): Instant | undefined {
  const file = path.join(folder, FILE)
  return existsSync(file) ? Kept.parse(JSON.parse(readFileSync(file, 'utf8'))).end : undefined
}

/** Decides that the demo has a year, up to now. One that has begun without keeps its events as they are. */
export function beginYear(folder: string, now: Instant): void {
  if (existsSync(path.join(folder, 'authority')) || findYearEnd(folder) !== undefined) return
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, FILE)
  writeFileSync(`${file}.tmp`, `${JSON.stringify({ end: now })}\n`, { mode: 0o600 })
  renameSync(`${file}.tmp`, file)
}

/** Who has an e.firma beside the people of every demo, and until when. */
export const holdersIn = (end: Instant): OtherHolder[] =>
  STAFF.flatMap((person) =>
    person.efirmaEndsIn === null ? [] : [{ person, notAfter: after(end, person.efirmaEndsIn) }],
  )

/** Who works in the office when its year begins. */
export const peopleOf = (end: Instant): Joining[] => [
  ...PEOPLE,
  ...STAFF.map((person) => ({
    ...person,
    capacityTo: person.capacityEndsIn === null ? null : after(end, person.capacityEndsIn),
  })),
]
