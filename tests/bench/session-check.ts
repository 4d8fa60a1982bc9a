import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/db/database.ts'
import { after, instantOf, minutes } from '#server/domain/time.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { startSession } from '#server/steps/sign-ins/start-session.ts'
import { origin, storedOffice, storedUser } from '#tests/support/builders.ts'
import startPostgres from '#tests/support/postgres-server.ts'
import { type Figure, percentile } from './figures.ts'

const section = 'Sesiones'
const SESSIONS = 1_000
const CHECKS = 5_000
const ROUNDS_BEFORE = 500

/**
 * The cost of resuming a session, with which every signed-in request begins: from the cookie to the user.
 *
 * @param folder for the SQLite file
 */
export async function measureSessionCheck(folder: string): Promise<Figure[]> {
  mkdirSync(folder, { recursive: true })
  const sqlite = await measure('SQLite', path.join(folder, 'rubrica.sqlite'), 0.3)
  const postgres = await runningPostgres()
  try {
    return [...sqlite, ...(await measure('PostgreSQL', `${postgres.url}template_rubrica`, 1.5))]
  } finally {
    await postgres.end()
  }
}

async function measure(name: string, url: string, atMost: number): Promise<Figure[]> {
  const db = openDatabase(url)
  try {
    await db.migrate()
    const at = instantOf(Date.now())
    const clock = { now: () => after(at, minutes(1)) }
    const tokenKey = new Uint8Array(32).fill(8)
    const office = await storedOffice(db)
    const tokens: string[] = []
    for (let i = 0; i < SESSIONS; i++) {
      const user = await storedUser(db, office)
      const start = { user, office, actor: origin, at, tokenKey, secondFactor: null }
      const started = await db.transaction((trx) => startSession(trx, start))
      tokens.push(started.tokens.access)
    }
    // The first look at each writes that it was seen.
    for (const token of tokens) await resumeSession({ db, clock }, origin, token)

    const times: number[] = []
    for (let i = 0; i < ROUNDS_BEFORE + CHECKS; i++) {
      const began = performance.now()
      const person = await resumeSession({ db, clock }, origin, tokens[i % SESSIONS] ?? '')
      if (i >= ROUNDS_BEFORE) times.push(performance.now() - began)
      if (!person) throw new Error('a session was over')
    }
    const figure = (what: string, share: number) => ({
      section,
      name: `from the cookie to the person, ${name}, ${what}`,
      value: percentile(times, share),
      unit: 'ms' as const,
    })
    return [{ ...figure('p50', 0.5), atMost }, figure('p95', 0.95)]
  } finally {
    await db.close()
  }
}

async function runningPostgres(): Promise<{ url: string; end(): Promise<void> }> {
  let url = ''
  const project = {
    provide(_: string, value: string) {
      url = value
    },
  }
  const end = await startPostgres(project as unknown as TestProject)
  return { url, end }
}
